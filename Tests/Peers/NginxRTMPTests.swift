import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct NginxRTMPTests {
  private let folder = ScratchFolder()
  private let server: NginxRTMP

  init() throws {
    server = try NginxRTMP(in: folder)
  }

  /// Returns after a second of video has been recorded.
  private func publish() throws -> (Publisher, FLVTail) {
    let tail = FLVTail(path: recording)
    let publisher = try Publisher("flv", to: server.url("append", "porch"))
    #expect(tail.hasPictures(moreThan: 15))
    return (publisher, tail)
  }

  private var recording: String { server.recording("append", "porch") }

  @Test func `a publish is logged with its type and recorded with both tracks`() throws {
    let (publisher, _) = try publish()
    publisher.stop()
    #expect(server.publishes().map { [$0.application, $0.name, $0.type] } == [["append", "porch", "live"]])
    let media = try ServerMedia(path: recording)
    #expect(media.hasBothTracksFromTheStart && media.isMonotone)
  }

  @Test func `the typed application refuses live`() throws {
    #expect(try Publisher("flv", to: server.url("typed", "porch")).end() != 0)
    #expect(server.publishes().map(\.isAccepted).contains(false))
  }

  @Test(arguments: [("wrong", false), ("secret", true)])
  func `an application that requires a key accepts only the right one`(key: String, isAccepted: Bool) throws {
    let publisher = try Publisher("flv", to: server.url("auth", "porch?key=\(key)"), seconds: 1)
    #expect((publisher.end() == 0) == isAccepted)
    #expect(server.publishes().contains { $0.application == "auth" && !$0.isAccepted } == !isAccepted)
  }

  @Test func `a publisher dropped by the server ends`() throws {
    let (publisher, _) = try publish()
    try server.drop("append", "porch")
    #expect(publisher.end() != 0)
  }

  @Test func `a frozen server records nothing and continues when thawed`() throws {
    let (publisher, tail) = try publish()
    server.freeze()
    let before = tail.finish().count
    let later = FLVTail(path: recording)
    #expect(later.wait(atMost: 10) { $0.count == before })
    server.thaw()
    #expect(later.wait { $0.count > before } && publisher.isRunning)
  }

  @Test func `a restarted server continues the file of an append`() throws {
    let (publisher, _) = try publish()
    server.kill()
    #expect(publisher.end() != 0)
    let before = FLVTail(path: recording).finish().count
    try server.start()
    let (again, tail) = try publish()
    #expect(tail.wait { $0.count > before })
    again.stop()
  }

  @Test func `the encrypted port has a certificate of the authority`() throws {
    let script = "openssl s_client -connect localhost:$0 -CAfile $1 -verify_return_error </dev/null 2>&1"
    let said = try Tool.run(["sh", "-c", script, "\(server.securePort)", server.authority])
    #expect(said.contains("Verify return code: 0 (ok)"))
  }

  @Test(arguments: [
    (TestCertificate.Kind.expired, "certificate has expired"), (.otherName, "hostname mismatch"),
  ])
  func `the server's certificate can be made invalid`(kind: TestCertificate.Kind, error: String) throws {
    let wrong = try NginxRTMP(in: folder, certificate: kind)
    let script = """
      openssl s_client -connect localhost:$0 -CAfile $1 -verify_hostname localhost -verify_return_error </dev/null 2>&1
      true
      """
    let said = try Tool.run(["sh", "-c", script, "\(wrong.securePort)", wrong.authority])
    #expect(said.contains(error))
  }
}
