import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPReaderTests {
  private static let stream: [UInt8] =
    Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 5\r\n\r\nhello".utf8)
    + [0x24, 3, 0, 4, 0x0D, 0x0A, 0x0D, 0x0A]
    + Array("\r\nOPTIONS * RTSP/1.0\ncseq:2\nX: a\n  b\n\n".utf8)
    + [0x24, 0, 0, 0]
    + Array("RTSP/1.0 404 Stream Not Found\r\n\r\n".utf8)

  private func read(
    _ bytes: [UInt8], by size: Int = 1000, limits: RTSPLimits = RTSPLimits()
  ) throws -> [RTSPReader.Item] {
    var reader = RTSPReader(limits: limits)
    var items: [RTSPReader.Item] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      reader.append(piece.span)
      while let item = try reader.next() { items.append(item) }
    }
    return items
  }

  @Test(arguments: [1, 2, 3, 5, 16, 64, 1000])
  func `RTSP messages and media frames are distinguished, in pieces of any size`(size: Int) throws {
    let items = try read(Self.stream, by: size)
    try #require(items.count == 5)
    guard case .message(let first) = items[0], case .message(let third) = items[2],
      case .message(let fifth) = items[4]
    else {
      Issue.record("\(items)")
      return
    }
    #expect((first.start, first.body) == (.response(status: 200, reason: "OK"), Array("hello".utf8)))
    #expect(items[1] == .interleaved(channel: 3, bytes: [0x0D, 0x0A, 0x0D, 0x0A]))
    #expect(third.start == .request(method: "OPTIONS", uri: "*"))
    #expect((third.sequence, third.headers["x"]) == (2, "a b"))
    #expect(items[3] == .interleaved(channel: 0, bytes: []))
    #expect(fifth.start == .response(status: 404, reason: "Stream Not Found"))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\n", "RTSP/2.0 200 OK\r\n\r\n", "RTSP/1.0 20 OK\r\n\r\n", "RTSP/1.0 -20 OK\r\n\r\n",
    "RTSP/1.0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "OPTIONS *\r\n\r\n", "x\r\n\r\n", " \r\n\r\n",
    "RTSP/1.0 200 OK\r\nno colon\r\n\r\n", "RTSP/1.0 200 OK\r\n: x\r\n\r\n",
    "RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n", "RTSP/1.0 200 OK\r\nContent-Length: 1x\r\n\r\n",
    "RTSP/1.0 200 OK\r\nContent-Length: \r\n\r\n",
    "RTSP/1.0 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "RTSP/1.0 200 OK\r\nX: a\u{0}b\r\n\r\n", "RTSP/1.0 200 OK\r\nX: a\rb\r\n\r\n",
    "RTSP/1.0 200 \u{1B}[2J\r\n\r\n",
  ])
  func `text that is not RTSP is an error`(text: String) {
    let error = #expect(throws: RTSPError.self) { try read(Array(text.utf8)) }
    #expect(error?.kind == .malformed)
  }

  @Test func `an RTSP body larger than allowed is an error before it arrives`() {
    var limits = RTSPLimits()
    limits.bodyBytes = 10
    for length in ["11", "99999999999999999999999999"] {
      let text = "RTSP/1.0 200 OK\r\nContent-Length: \(length)\r\n\r\n"
      let error = #expect(throws: RTSPError.self) { try read(Array(text.utf8), limits: limits) }
      #expect(error?.kind == .tooLarge)
    }
  }

  @Test(arguments: [1, 100, 100_000])
  func `an endless RTSP header is an error`(size: Int) {
    let bytes = Array("RTSP/1.0 200 OK\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 20_000)
    let error = #expect(throws: RTSPError.self) { try read(bytes, by: size) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func `more RTSP headers than allowed are an error`() {
    let text = "RTSP/1.0 200 OK\r\n" + String(repeating: "X: 1\r\n", count: 65) + "\r\n"
    let error = #expect(throws: RTSPError.self) { try read(Array(text.utf8)) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func `an RTSP message is read back as written`() throws {
    var headers = RTSPHeaders()
    headers.add("CSeq", "9")
    headers.add("Session", "abc")
    let message = RTSPMessage(
      .request(method: "ANNOUNCE", uri: "rtsp://host/x"), headers: headers, body: [1, 2, 3])
    var bytes = OutgoingBytes()
    message.write(to: &bytes)
    let items = try read(bytes.takeAll())
    headers.add("Content-Length", "3")
    #expect(items == [.message(RTSPMessage(message.start, headers: headers, body: message.body))])
  }
}
