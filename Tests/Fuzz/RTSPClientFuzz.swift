import HoldfastMediaModel
import HoldfastRTSP

/// An RTSP publisher, with arbitrary bytes from the server.
enum RTSPClientFuzz {
  static let target = FuzzTarget(name: "RTSPClient", seeds: { seeds }, run: run)

  private static let description = """
    v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:streamid=0\r\n\
    m=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/48000/2\r\na=control:streamid=1\r\n
    """

  private static let digests = DigestFunctions(
    md5: { "\($0.count)" + String(repeating: "a", count: 24) },
    sha256: { "\($0.count)" + String(repeating: "b", count: 56) })

  /// A client that has sent OPTIONS.
  private static let beginning: RTSPClient? = {
    guard let url = try? RTSPURL("rtsp://user:password@host/name") else { return nil }
    var settings = RTSPClient.Settings(
      url: url, description: description, transport: .interleaved, digests: digests, clientNonce: "0a1b")
    settings.limits.unreadAnswerBytes = 512
    var client = try? RTSPClient(settings)
    try? client?.begin(at: MonotonicTime(nanoseconds: 0))
    return client
  }()

  /// The first byte is the length of the pieces.
  @Sendable private static func run(_ bytes: borrowing Span<UInt8>) {
    guard var client = beginning, bytes.count > 1 else { return }
    let piece = max(1, Int(bytes[0]))
    var offset = 1
    var now = MonotonicTime(nanoseconds: 0)
    do {
      while offset < bytes.count {
        let end = min(bytes.count, offset + piece)
        now = now + .milliseconds(100)
        _ = try client.receive(bytes.extracting(offset..<end), at: now)
        // The server reads nothing.
        require(client.outgoing.count < 16384, "\(client.outgoing.count) bytes wait to be sent")
        offset = end
      }
      try client.probe(at: now)
    } catch {
      // Invalid bytes may only cause an error.
    }
  }

  private static let seeds: [[UInt8]] = {
    func answer(_ number: Int, _ headers: String, status: String = "200 OK") -> String {
      "RTSP/1.0 \(status)\r\nCSeq: \(number)\r\n\(headers)\r\n"
    }
    let accepted =
      answer(1, "Public: OPTIONS, ANNOUNCE, SETUP, RECORD, PAUSE, TEARDOWN, GET_PARAMETER\r\n")
      + answer(2, "")
      + answer(3, "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 12;timeout=60\r\n")
      + answer(4, "Transport: RTP/AVP/TCP;unicast;interleaved=2-3\r\nSession: 12\r\n")
      + answer(5, "Session: 12\r\nRange: npt=0.000-\r\n")
    let conversations = [
      accepted, accepted + answer(6, ""),
      answer(
        1, "WWW-Authenticate: Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=SHA-256\r\n",
        status: "401 Unauthorized"),
      answer(1, "Location: rtsp://other/name\r\n", status: "302 Found"),
      accepted
        + "OPTIONS * RTSP/1.0\r\nCSeq: 9\r\n\r\nREDIRECT rtsp://host/name RTSP/1.0\r\nCSeq: 10\r\nLocation: rtsp://other/\r\n\r\n",
      accepted + "$\u{1}\u{0}\u{8}\u{1}\u{1}\u{0}\u{1}abcd", answer(1, "Content-Length: 4\r\n") + "body",
    ]
    return conversations.flatMap { text in [[255], [7]].map { $0 + Array(text.utf8) } }
  }()
}
