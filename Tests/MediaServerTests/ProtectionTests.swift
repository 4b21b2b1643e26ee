import Foundation
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastRTMP
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// Protection against strangers and misbehaving clients.
@Suite(.realTime) struct ProtectionTests {
  @Test(arguments: [nil, "wrong", ""] as [String?])
  func `a publisher without the right key is refused`(key: String?) throws {
    let server = try LocalServer(keys: ["s3cret"])
    #expect(try TestPublisher.answered(server.url("cam", key: key), .live).refusal == .credentials)
    #expect(server.isEventuallyRefusing(.wrongKey))
  }

  @Test func `a publisher with the right key is let in, and no event shows the key`() throws {
    let server = try LocalServer(keys: ["other", "s3cret"])
    #expect(try TestPublisher.answered(server.url("cam", key: "s3cret"), .live).isAccepted)
    #expect(!"\(server.events)".contains("s3cret"))
  }

  @Test(arguments: ["..", ".x", "a%2Fb", "caf\u{E9}", String(repeating: "x", count: 200)])
  func `a name that could lead out of the folder is refused, and nothing is written`(name: String) throws {
    let folder = ScratchFolder()
    let inner = folder.file("inner")
    let server = try LocalServer { $0.directory = inner }
    #expect(try TestPublisher.answered(server.url(name), .record).refusal == .credentials)
    #expect(server.isEventuallyRefusing(.badName))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == ["inner"])
  }

  @Test func `a file that is not FLV is not appended to`() throws {
    let folder = ScratchFolder()
    let path = try folder.write("my diary", to: "cam.flv")
    let server = try LocalServer { $0.directory = folder.path }
    #expect(try TestPublisher.answered(server.url("cam"), .append).refusal == .credentials)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "my diary")
  }

  @Test func `connections beyond the limit are rejected, and existing ones stay`() throws {
    let server = try LocalServer { $0.maxConnections = 2 }
    let first = try TestPublisher.answered(server.url("cam"), .live)
    let second = try RawClient(port: server.port)
    // It may be turned away before it knows that it was connected.
    let third = try? RawClient(port: server.port)
    #expect(third?.isEnded(within: .seconds(10)) ?? true)
    #expect(server.isEventuallyRefusing(.tooManyConnections))
    #expect(try server.receivesFile(from: first))
    withExtendedLifetime(second) {}
  }

  @Test func `large pictures arrive however many connections are allowed`() throws {
    let server = try LocalServer { $0.maxConnections = 1000 }
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    try publisher.send(pictures: 3, of: 3_000_000, like: Fixture.h264AndAAC())
    #expect(server.waitForReport(of: "cam") { $0.video?.packets == 3 } != nil)
  }

  @Test func `a connection slot is free again when its client has gone`() throws {
    let server = try LocalServer { $0.maxConnections = 1 }
    for number in 1...5 {
      let publisher = try TestPublisher.answered(server.url("cam\(number)"), .live)
      #expect(publisher.isAccepted)
      publisher.abort()
      // Its end has to be known before the next one comes.
      #expect(server.waitForEnd(of: "cam\(number)") != nil)
    }
  }

  @Test func `half-open connections from one address lock nobody out`() throws {
    let server = try LocalServer()
    let idle = (0..<100).compactMap { _ in try? RawClient(port: server.port) }
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
    withExtendedLifetime(idle) {}
  }

  @Test func `each wrong key costs its address a second`() throws {
    let server = try LocalServer(keys: ["s3cret"])
    let began = MonotonicTime.now
    for _ in 0..<3 {
      #expect(try TestPublisher.answered(server.url("cam", key: "guess"), .live).refusal == .credentials)
    }
    #expect(.now - began >= .seconds(2))
    #expect(try TestPublisher.answered(server.url("cam", key: "s3cret"), .live).isAccepted)
    #expect(.now - began >= .seconds(3))
  }

  @Test func `a guess that nobody waits for is not judged`() throws {
    let server = try LocalServer(keys: ["s3cret"])
    _ = try TestPublisher.answered(server.url("cam", key: "guess"), .live)
    // Each would cost another second.
    for _ in 0..<20 { try TestPublisher(server.url("cam", key: "guess"), .live).abort() }
    let began = MonotonicTime.now
    #expect(try TestPublisher.answered(server.url("cam", key: "s3cret"), .live).isAccepted)
    #expect(.now - began < .seconds(15))
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{3}", "\u{16}\u{3}\u{1}"])
  func `a client that does not complete the handshake is cut off`(text: String) throws {
    let server = try LocalServer { $0.handshakeTimeout = .milliseconds(300) }
    let client = try RawClient(port: server.port)
    client.send(Array(text.utf8))
    #expect(client.isEnded(within: .seconds(20)))
    #expect(server.wait { if case .cutOff = $0 { true } else { false } } != nil)
  }

  @Test func `a client that stays idle after a missing stream is cut off`() throws {
    let server = try LocalServer { configuration in
      configuration.handshakeTimeout = .milliseconds(200)
      configuration.playerTimeout = .milliseconds(100)
      configuration.idleTimeout = .milliseconds(500)
    }
    let player = try TestPlayer(server.url("nothing"))
    try player.readToEnd()
    #expect(player.statuses == ["NetConnection.Connect.Success", "NetStream.Play.StreamNotFound"])
  }

  @Test func `a publisher that falls silent loses its name`() throws {
    let server = try LocalServer { $0.silenceTimeout = .seconds(1) }
    let publisher = try RunningTool.publisher(server.url("cam"), seconds: 60)
    #expect(server.waitForReport(of: "cam") { ($0.video?.packets ?? 0) > 0 } != nil)
    publisher.signal(SIGSTOP)
    #expect(server.wait { if case .ended(_, .disconnected) = $0 { true } else { false } } != nil)
    #expect(try TestPublisher.answered(server.url("cam"), .live).isAccepted)
  }

  @Test func `random bytes after the handshake disturb no other client`() throws {
    let server = try LocalServer { $0.maxConnections = 64 }
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    for _ in 0..<40 {
      let client = try RawClient(port: server.port)
      client.send([3] + [UInt8](repeating: 0, count: 3072))
      client.send(randomBytes(20_000))
    }
    #expect(try server.receivesFile(from: publisher))
  }

  @Test func `a server that may takes any free port where its own is taken`() throws {
    let first = try LocalServer()
    let second = try LocalServer { ($0.port, $0.anyPortIfTaken) = (first.port, true) }
    #expect(second.port != first.port && second.port != 0)
    #expect(try TestPublisher.answered(second.url("cam"), .live).isAccepted)
  }

  @Test func `the error about a port in use names the port`() throws {
    let server = try LocalServer()
    #expect {
      _ = try LocalServer { $0.port = server.port }
    } throws: { error in
      guard case .port(let error)? = error as? MediaServer.StartError else { return false }
      return error.what.contains(":\(server.port)")
    }
  }
}
