import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct TLSConnectionTests {
  private let folder = ScratchFolder()

  private func certificate(_ kind: TestCertificate.Kind = .valid) throws -> TestCertificate {
    try TestCertificate(in: folder, kind)
  }

  /// A server's certificate, the trusted one, and the requested host.
  struct Meeting: Sendable {
    let server: TestCertificate.Kind
    var trusted: TestCertificate.Kind?
    var isVerified = true
    var host = "localhost"
    var refusal = ""
  }

  private func meet(_ meeting: Meeting) throws {
    let server = try CommandServer(certificate(meeting.server))
    let settings = TLSSettings(
      caFile: try meeting.trusted.map { try certificate($0).certificate }, isVerified: meeting.isVerified)
    _ = try connect(to: server.port, host: meeting.host, tls: settings)
  }

  @Test(arguments: [
    Meeting(server: .valid, trusted: .authority),
    Meeting(server: .valid, trusted: .authority, host: "127.0.0.1"),
    Meeting(server: .selfSigned, trusted: .selfSigned), Meeting(server: .valid, trusted: .valid),
    Meeting(server: .expired, isVerified: false),
    Meeting(server: .selfSigned, isVerified: false, host: "127.0.0.1"),
    Meeting(server: .otherName, isVerified: false),
  ])
  func `a server with a valid or unverified certificate is connected to`(meeting: Meeting) throws {
    try meet(meeting)
  }

  @Test(arguments: [
    Meeting(server: .selfSigned, refusal: "is self-signed"),
    Meeting(server: .valid, refusal: "is signed by an authority unknown to this machine"),
    Meeting(server: .expired, trusted: .authority, refusal: "has expired"),
    Meeting(server: .otherName, trusted: .authority, refusal: "is for a host other than localhost"),
    Meeting(
      server: .otherName, trusted: .authority, host: "127.0.0.1",
      refusal: "is for a host other than 127.0.0.1"),
    Meeting(server: .commonName, trusted: .authority, refusal: "is for a host other than localhost"),
  ])
  func `an invalid certificate is refused with a reason`(meeting: Meeting) throws {
    let error = #expect(throws: ConnectionError.self) { try meet(meeting) }
    #expect(error?.kind == .certificate)
    #expect(error?.what.hasSuffix(": its certificate " + meeting.refusal) == true)
    #expect(error?.hint?.contains("skip this check") == true)
  }

  @Test func `a server that only speaks TLS 1-1 is refused`() throws {
    let server = try CommandServer(certificate(), ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
    let error = #expect(throws: ConnectionError.self) {
      _ = try connect(to: server.port, host: "localhost", tls: TLSSettings(isVerified: false))
    }
    #expect(error?.kind == .tls && error?.what.contains("does not speak TLS 1.2 or newer") == true)
  }

  @Test(arguments: ["TLSv1.2": "-tls1_2", "TLSv1.3": "-tls1_3"])
  func `each step of the connection is reported`(version: String, argument: String) throws {
    let server = try CommandServer(certificate(), [argument])
    var steps: [ConnectionStep] = []
    _ = try Connection(
      host: "localhost", port: server.port, tls: TLSSettings(isVerified: false), until: generousDeadline,
      stop: try Wakeup()
    ) { steps.append($0) }
    guard case .resolved(let count, _) = steps.first, count > 0, steps.count == 3,
      case .connected(let address, _) = steps[1], case .secured(version, let cipher, _) = steps[2]
    else {
      throw TestFailure("\(steps)")
    }
    #expect(address == "127.0.0.1:\(server.port)")
    #expect(!cipher.isEmpty)
  }

  @Test func `a missing CA file is named before any connection is made`() throws {
    var listener = try Listener(host: "127.0.0.1", port: 0)
    let port = listener.port
    let error = #expect(throws: ConnectionError.self) {
      _ = try connect(to: port, tls: TLSSettings(caFile: "/nowhere/ca.pem"))
    }
    let isVisited = try listener.accept() != nil
    #expect(error?.what.contains("/nowhere/ca.pem") == true)
    #expect((error?.kind, isVisited) == (.certificate, false))
  }

  @Test func `a corrected CA file is used from the next connection on`() throws {
    let folder = ScratchFolder()
    let server = try CommandServer(certificate())
    let settings = TLSSettings(caFile: folder.file("ca.pem"))
    func trust(_ name: TestCertificate.Kind) throws {
      _ = try folder.write(
        String(contentsOfFile: certificate(name).certificate, encoding: .utf8), to: "ca.pem")
    }
    try trust(.otherName)
    #expect(throws: ConnectionError.self) { _ = try connect(to: server.port, tls: settings) }
    try trust(.authority)
    _ = try connect(to: server.port, tls: settings)
  }

  @Test func `a large file arrives unchanged`() throws {
    let folder = ScratchFolder()
    let content = pattern(5_000_000)
    try Data(content).write(to: URL(fileURLWithPath: folder.file("file")))
    let server = try CommandServer(certificate(), folder: folder.path, ["-WWW", "-http_server_binmode"])
    var connection = try connect(to: server.port, tls: TLSSettings(isVerified: false))
    try connection.write(all: Array("GET /file HTTP/1.0\r\n\r\n".utf8))
    let answer = try connection.read(atLeast: .max)
    #expect(answer.suffix(content.count) == content[...])
  }

  @Test func `written data arrives unchanged, however slowly it is read`() throws {
    let content = pattern(3_000_000)
    var listener = try Listener(host: "127.0.0.1", port: 0)
    let port = listener.port
    let certificate = try certificate()
    let context = try TLSContext(
      TLSIdentity(certificateFile: certificate.certificate, keyFile: certificate.key))
    let arrived = Locked<[UInt8]>([])
    let serving = try WorkerThread(name: "server") {
      do {
        var server = try listener.next()
        try server.beginTLS(context)
        var bytes: [UInt8] = []
        // It ends with the other's good-bye.
        while try server.read(into: &bytes, limit: 10_000) != .ended {
          try server.wait(until: generousDeadline)
        }
        arrived.withLock { $0 = bytes }
      } catch { Issue.record(error) }
    }
    do {
      var connection = try connect(to: port, tls: TLSSettings(isVerified: false))
      connection.limitUnsentBytes(to: 16384)
      try connection.write(all: content)
      connection.endSending(until: generousDeadline)
      _ = try? connection.read(atLeast: 1)
    } catch { Issue.record(error) }
    serving.join()
    #expect(arrived.withLock { $0 } == content)
  }

  @Test func `a peer that does not read blocks further writes`() throws {
    let server = try CommandServer(certificate(), ["-rev", "-tls1_2"])
    var connection = try connect(to: server.port, tls: TLSSettings(isVerified: false))
    // Without an end of line it has nothing to send back, so it is stopped here instead of there.
    server.freeze()
    defer { server.thaw() }
    _ = try connection.fill()
    let wait = try connection.wait(toWrite: true, until: .now)
    #expect(wait == [])
    #expect(connection.unsentBytes > 0)
  }

  @Test func `a handshake that is never answered times out`() throws {
    var listener = try Listener(host: "127.0.0.1", port: 0)
    let port = listener.port
    let error = #expect(throws: ConnectionError.self) {
      _ = try connect(to: port, tls: TLSSettings(), until: .now + .milliseconds(50))
    }
    _ = try listener.accept()
    #expect(error?.kind == .timedOut)
  }
}
