import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// The sample configurations of hubs, started with other paths and ports.
@Suite(.realTime) struct HubSampleTests {
  private let folder = ScratchFolder()

  private func secret() throws -> (path: String, host: String) {
    let path = folder.file("hub.secret")
    _ = try HoldfastProcess.run(["token", "--new-secret", path])
    let token = try HoldfastProcess.output(
      "token", "--secret", path, "--session", "Hall", "--role", "host", "--name", "Anna")
    return (path, token)
  }

  @Test func `three hubs behind nginx are one hub, whichever of them is killed`() throws {
    let (secret, token) = try secret()
    let redis = try RedisServer(in: folder)
    let certificate = try TestCertificate(in: folder)
    let proxy = try LoopbackPort()
    let hubs = try (1...3).map { _ in
      try HubProcess(
        in: folder,
        options: [
          "--store", "redis://127.0.0.1:\(redis.port)/0", "--token-secret", secret, "--public-url",
          "https://hub.example", "--trusted-proxy", "127.0.0.1", "--media-port", "off",
        ])
    }
    var sample = try String(contentsOfFile: Repository.path("samples/hubs.nginx.conf"), encoding: .utf8)
    let changes = [
      ("listen 443 ssl", "listen 127.0.0.1:\(proxy.number)"),
      ("server 127.0.0.1:8787", "server 127.0.0.1:\(hubs[0].port)"),
      ("server 127.0.0.1:8788", "server 127.0.0.1:\(hubs[1].port)"),
      ("server 127.0.0.1:8789", "server 127.0.0.1:\(hubs[2].port)"),
      ("/etc/holdfast/hub.pem", certificate.certificate), ("/etc/holdfast/hub.key", certificate.key),
    ]
    for (from, to) in changes {
      #expect(sample.contains(from))
      sample = sample.replacingOccurrences(of: from, with: to)
    }
    let path = try folder.write("pid \(folder.file("nginx.pid"));\ndaemon off;\n" + sample, to: "hubs.conf")
    let nginx = try PeerProcess(
      ["/usr/sbin/nginx", "-p", folder.path, "-c", path, "-e", folder.file("nginx.log")],
      output: folder.file("nginx.out"), errors: folder.file("nginx.err")
    ) { _ in LoopbackPort.answers(proxy.number) }
    defer { nginx.stop() }

    var client = HubClient(port: proxy.number, token: token)
    let host = ["Host: hub.example"]
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> HubClient.Answer {
      try client.send(method, "/v1/sessions/Hall\(path)", body, headers: host)
    }
    let join: JSONValue = ["key": "a-key-of-the-tests", "name": "Anna", "kind": "box"]
    let joined = try send("POST", "/join", join)
    #expect(joined.status == 200, "\(joined.verdict)")
    for hub in hubs.dropLast() {
      hub.kill()
      let commands = ["lock", "unlock"].map { JSONValue.text($0) }
      for command in commands { #expect(try send("POST", "/commands", ["command": command]).status == 200) }
    }
    #expect(try send("GET", "")["members"].map { "\($0)" }?.contains("Anna") == true)
    client.token = nil
    #expect(try send("GET", "").verdict == "401 tokenMissing")
  }

  @Test func `the unit of one hub starts it, with its secret and certificate`() throws {
    let (secret, token) = try secret()
    let certificate = try TestCertificate(in: folder)
    let unit = try String(contentsOfFile: Repository.path("samples/holdfast-hub.service"), encoding: .utf8)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    let port = try LoopbackPort()
    let words = line.split(separator: " ").dropFirst().map { word in
      [
        ("0.0.0.0:8787", "127.0.0.1:\(port.number)"),
        ("${CREDENTIALS_DIRECTORY}/certificate", certificate.certificate),
        ("${CREDENTIALS_DIRECTORY}/key", certificate.key), ("${CREDENTIALS_DIRECTORY}/secret", secret),
        ("${STATE_DIRECTORY}", folder.file("state")),
      ].reduce(String(word)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
    #expect(words.first == "hub")
    let process = try HoldfastProcess(words + ["--media-port", "0"])
    defer { process.signal(SIGKILL) }
    #expect(process.waitForOutput("serving sessions at https://hub.example:8787/NAME with a token"))
    let answer = try Tool.run([
      "curl", "-sS", "--cacert", certificate.authority, "-H", "Authorization: Bearer \(token)",
      "https://localhost:\(port.number)/v1/sessions/Hall",
    ])
    #expect(answer.contains("noSuchSession"))
    process.signal(SIGTERM)
    #expect(process.result().status == 0)
  }
}
