import Foundation
import TestSupport
import TestTraits
import Testing

/// The sample configurations of hubs, started with other paths and ports.
@Suite(.realTime) struct HubSampleTests {
  private let folder = ScratchFolder()

  private let secret: SecretFile
  private let token: String

  init() throws {
    secret = try SecretFile(in: folder)
    token = try secret.token("Anna", "host", of: "Hall")
  }

  @Test func `three hubs behind nginx are one hub, whichever of them is killed`() throws {
    let redis = try RedisServer(in: folder)
    let certificate = try TestCertificate(in: folder)
    let proxy = try LoopbackPort()
    let hubs = try (1...3).map { _ in
      try HubProcess(
        in: folder,
        options: [
          "--store", "redis://127.0.0.1:\(redis.port)/0", "--token-secret", secret.path, "--public-url",
          "https://hub.test", "--trusted-proxy", "127.0.0.1", "--media-port", "off",
        ])
    }
    var sample = try String(contentsOfFile: Repository.path("samples/hubs.nginx.conf"), encoding: .utf8)
    let changes = [
      ("listen 443 ssl", "listen 127.0.0.1:\(proxy.number) ssl"),
      ("server 127.0.0.1:8787", "server 127.0.0.1:\(hubs[0].port)"),
      ("server 127.0.0.1:8788", "server 127.0.0.1:\(hubs[1].port)"),
      ("server 127.0.0.1:8789", "server 127.0.0.1:\(hubs[2].port)"),
      ("/etc/holdfast/hub.pem", certificate.certificate), ("/etc/holdfast/hub.key", certificate.key),
    ]
    for (from, to) in changes {
      #expect(sample.contains(from))
      sample = sample.replacingOccurrences(of: from, with: to)
    }
    let path = try folder.write(
      "pid \(folder.file("nginx.pid"));\ndaemon off;\nmaster_process off;\n" + sample, to: "hubs.conf")
    let nginx = try PeerProcess(
      ["/usr/sbin/nginx", "-p", folder.path, "-c", path, "-e", folder.file("error.log")],
      serving: proxy.number, log: folder.file("nginx"))
    defer { nginx.stop() }

    func ask(_ path: String = "", _ body: String? = nil, with token: String? = self.token) throws -> String {
      try Tool.run(
        ["curl", "-sS", "--cacert", certificate.authority, "--max-time", "60"]
          + ["--connect-to", "hub.test:443:127.0.0.1:\(proxy.number)"]
          + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? [])
          + (body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? [])
          + ["https://hub.test/v1/sessions/Hall\(path)"])
    }
    let joined = try ask("/join", #"{"key":"a-key-of-the-tests","name":"Anna","kind":"box"}"#)
    #expect(joined.contains(#""lease":"#), "\(joined)")
    for hub in hubs.dropLast() {
      hub.kill()
      for command in ["lock", "unlock"] {
        let answer = try ask("/commands", #"{"command":"\#(command)"}"#)
        #expect(answer.contains("\"events\":[\"\(command)ed\"]"), "\(answer)")
      }
    }
    #expect(try ask().contains(#""name":"Anna""#) && ask(with: nil).contains(#""tokenMissing""#))
  }

  @Test func `the unit of one hub starts it, with its secret and certificate`() throws {
    let certificate = try TestCertificate(in: folder)
    let unit = try String(contentsOfFile: Repository.path("samples/holdfast-hub.service"), encoding: .utf8)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    let port = try LoopbackPort()
    let words = line.split(separator: " ").dropFirst().map { word in
      [
        ("0.0.0.0:8787", "127.0.0.1:\(port.number)"), ("hub.example:8787", "localhost:\(port.number)"),
        ("${CREDENTIALS_DIRECTORY}/certificate", certificate.certificate),
        ("${CREDENTIALS_DIRECTORY}/key", certificate.key), ("${CREDENTIALS_DIRECTORY}/secret", secret.path),
        ("${STATE_DIRECTORY}", folder.file("state")),
      ].reduce(String(word)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
    #expect(words.first == "hub")
    let process = try HoldfastProcess(words + ["--media-port", "0"])
    defer { process.signal(SIGKILL) }
    #expect(process.waitForOutput("serving sessions at https://localhost:\(port.number)/NAME with a token"))
    let answer = try Tool.run([
      "curl", "-sS", "--cacert", certificate.authority, "-H", "Authorization: Bearer \(token)",
      "https://localhost:\(port.number)/v1/sessions/Hall",
    ])
    #expect(answer.contains("noSuchSession") && process.end(by: SIGTERM).status == 0, "\(answer)")
  }
}
