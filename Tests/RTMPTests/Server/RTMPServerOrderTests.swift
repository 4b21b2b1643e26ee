import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// What a client must not do, and that nothing else about its bytes matters.
@Suite struct RTMPServerOrderTests {
  /// Everything that a publisher says, from the first byte to the last.
  private static func conversation() throws -> [UInt8] {
    var script = RTMPServerScript()
    script.shakeHands()
    script.connect()
    script.command("releaseStream", 2, [.null, .string("cam")])
    script.command("FCPublish", 3, [.null, .string("cam")])
    script.command("createStream", 4, [.null])
    script.publish("cam", "record")
    script.message(.setChunkSize, [0, 0, 1, 0])
    script.message(.windowAcknowledgementSize, [0, 0, 1, 0])
    script.message(.audio, [0xAF, 0, 0x12, 0x10], timestamp: 0, stream: 1)
    script.message(.video, Array(repeating: 0x17, count: 120), timestamp: 0xFF_FFFF + 9, stream: 1)
    script.command("deleteStream", 5, [.null, .number(1)])
    _ = try? script.events()
    return script.said
  }

  private func events(of pieces: [[UInt8]]) throws -> [RTMPServer.Event] {
    var server = RTMPServerScript.makeServer()
    var events: [RTMPServer.Event] = []
    for piece in pieces {
      try server.receive(piece.span)
      while let event = try server.next() {
        events.append(event)
        server.accept()
      }
    }
    return events
  }

  @Test(arguments: [1, 2, 7, 100, 1000, 4096])
  func `the same bytes give the same events, in pieces of any size`(size: Int) throws {
    let bytes = try Self.conversation()
    let whole = try events(of: [bytes])
    #expect(whole.count == 5)
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    #expect(try events(of: pieces) == whole)
  }

  @Test(arguments: ["createStream", "publish", "play", "hello"])
  func `commands before connect are refused`(name: String) throws {
    var script = RTMPServerScript()
    script.shakeHands()
    script.command(name, 1, [.null, .string("cam")])
    #expect(throws: RTMPError.malformed("\(name) before connect")) { try script.events() }
  }

  @Test func `a second connect is refused`() throws {
    var script = try RTMPServerScript.withStream()
    #expect(throws: RTMPError.malformed("connect for a second time")) { try script.events { $0.connect() } }
  }

  @Test(arguments: ["publish", "play"])
  func `a stream cannot be used before it is created`(name: String) throws {
    var script = try RTMPServerScript.withStream()
    script.command(name, 3, [.null, .string("cam")], stream: 2)
    #expect(throws: RTMPError.self) { try script.events() }
  }

  @Test func `a stream cannot play while it publishes`() throws {
    var script = try RTMPServerScript.publishing()
    script.command("play", 4, [.null, .string("cam")], stream: 1)
    #expect(throws: RTMPError.malformed("play on a stream that is not free")) { try script.events() }
  }

  @Test func `the number of streams of a connection is limited`() throws {
    var script = try RTMPServerScript.withStream()
    for number in 0..<8 { script.command("createStream", Double(3 + number), [.null]) }
    #expect(throws: RTMPError.limitExceeded("streams of one connection")) { try script.events() }
  }

  @Test func `a client that sends too many messages before an answer is refused`() throws {
    var script = try RTMPServerScript.withStream()
    script.publish("cam", "live")
    for _ in 0..<300 { script.message(.audio, [0xAF, 1], stream: 1) }
    #expect(throws: RTMPError.limitExceeded("messages before an answer")) {
      for _ in 0..<2 {
        _ = try script.events()
        script.message(.audio, [0xAF, 1], stream: 1)
      }
    }
  }

  @Test func `only a client that may publish sends large messages`() throws {
    let keyframe = [UInt8](repeating: 0x17, count: 3 << 20)
    var stranger = try RTMPServerScript.withStream()
    stranger.message(.video, keyframe, stream: 1)
    #expect(throws: RTMPError.limitExceeded("a message of \(keyframe.count) bytes")) { try stranger.events() }
    var publisher = try RTMPServerScript.publishing()
    #expect(try publisher.events { $0.message(.video, keyframe, stream: 1) }.count == 1)
  }

  @Test func `bytes that are not RTMP are an error`() {
    var server = RTMPServerScript.makeServer()
    let bytes = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    #expect(throws: RTMPError.self) { try server.receive(bytes.span) }
  }

  @Test func `changed bytes give events or an RTMP error, and nothing else`() throws {
    let bytes = try Self.conversation()
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        broken[Int.random(in: 3073..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      do {
        #expect(try events(of: [broken]).count <= 64)
      } catch let error {
        #expect(error is RTMPError)
      }
    }
  }
}
