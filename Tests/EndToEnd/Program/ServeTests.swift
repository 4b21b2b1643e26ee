import Foundation
import TestSupport
import TestTraits
import Testing

/// `holdfast serve`.
@Suite(.realTime) struct ServeTests {
  private let folder = ScratchFolder()

  private func publish(to url: String, _ options: [String] = []) throws -> HoldfastProcess.Result {
    try HoldfastProcess.run(
      [
        "publish", "--video", "test", "--audio", "off", "--size", "160x120", "--record", "off", "--duration",
        "1s", "--to", url,
      ] + options)
  }

  @Test func `with --json the first line has the port, and each application has files of its own`() throws {
    let server = try HoldfastProcess(["serve", "--json", "--port", "0", "--dir", folder.path])
    #expect(server.waitForOutput("}\n"))
    let ready = try #require(server.events().named("listening").first)
    let port = try #require(ready["port"] as? Int)
    #expect(ready["url"] as? String == "rtmp://127.0.0.1:\(port)/live")
    for application in ["live", "other"] {
      let result = try publish(to: "rtmp://127.0.0.1:\(port)/\(application)/ci")
      #expect(result.status == 0, "\(result.errors)")
    }
    let result = server.end(by: SIGTERM)
    #expect(result.status == 0 && result.errors.isEmpty)
    let events = try EventLines(result.output)
    let (streams, paths) = (["ci", "other/ci"], [folder.file("ci.flv"), folder.file("other/ci.flv")])
    #expect(events.named("publishing").map { $0["stream"] as? String } == streams)
    #expect(events.named("publishing").map { $0["path"] as? String } == paths)
    #expect(events.named("ended").count == 2 && events.named("stopped").count == 1)
    for path in paths { #expect(try !Tool.probe(path).isEmpty) }
  }

  @Test func `with a certificate it speaks RTMPS, and SIGHUP reads the certificate again`() throws {
    let (certificate, key) = (folder.file("server.pem"), folder.file("server.key"))
    func install(_ kind: TestCertificate.Kind) throws {
      let pair = try TestCertificate(in: folder, kind)
      try Tool.run(["cp", "-p", pair.certificate, certificate])
      try Tool.run(["cp", "-p", pair.key, key])
    }
    func publish(to url: String, trusting kind: TestCertificate.Kind) throws -> HoldfastProcess.Result {
      try self.publish(to: url, ["--tls-ca", TestCertificate(in: folder, kind).certificate])
    }
    try install(.valid)
    let server = try HoldfastProcess([
      "serve", "--json", "--port", "0", "--dir", "off", "--tls-cert", certificate, "--tls-key", key,
    ])
    #expect(server.waitForOutput("}\n"))
    let port = try #require(try server.events().named("listening").first?["port"] as? Int)
    let url = "rtmps://127.0.0.1:\(port)/live"
    #expect(try server.events().named("listening").first?["url"] as? String == url)
    #expect(try publish(to: url + "/ci", trusting: .valid).status == 0)

    try Tool.run(["cp", "/dev/null", key])
    server.signal(SIGHUP)
    #expect(server.waitForOutput("the certificate in use stays"))
    #expect(try publish(to: url + "/ci", trusting: .valid).status == 0)

    try install(.selfSigned)
    server.signal(SIGHUP)
    #expect(server.waitForOutput("certificateRenewed"))
    #expect(try publish(to: url + "/ci", trusting: .selfSigned).status == 0)
    #expect(try publish(to: url + "/ci", trusting: .valid).status == 77)
    #expect(server.end(by: SIGTERM).status == 0)
  }
}
