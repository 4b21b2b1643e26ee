import HoldfastMediaModel
import HoldfastRTMP

/// A publisher, with arbitrary bytes from the server.
enum RTMPClientFuzz {
  static let target = FuzzTarget(name: "RTMPClient", seeds: { RTMPClientSeeds.all }, run: run)

  private static let beginnings = makeBeginnings()
  /// For servers that read nothing: an input is too short to reach the usual limit.
  private static let strictBeginnings = makeBeginnings(unreadAnswerBytes: 1024)

  /// Clients at each stage of a conversation; the first is before the handshake.
  private static func makeBeginnings(
    unreadAnswerBytes: Int = RTMPLimits().unreadAnswerBytes
  ) -> [RTMPClient] {
    guard let url = try? RTMPURL("rtmp://user:password@host/app/key?a=b") else { return [] }
    var settings = RTMPClient.Settings(
      url: url, publishType: .append, codecs: [.hevc, .opus], digests: .quick,
      random: Array(repeating: 7, count: 1536))
    settings.limits.unreadAnswerBytes = unreadAnswerBytes
    var client = RTMPClient(settings)
    client.begin()
    var beginnings = [client]
    for step in [RTMPClientSeeds.handshake] + RTMPClientSeeds.answers.map({ FuzzInput.chunks(of: [$0]) }) {
      _ = try? client.receive(step.span)
      beginnings.append(client)
    }
    try? client.start(tracks)
    beginnings.append(client)
    return beginnings.map { client in
      var client = client
      client.outgoing.removeFirst(client.outgoing.count)
      return client
    }
  }

  private static let tracks = [
    Track(
      codec: .hevc,
      format: .video(VideoFormat(size: PictureSize(width: 640, height: 360), frameRate: .thirty)),
      headers: [1, 2, 3], bitrate: 1_000_000),
    Track(
      codec: .opus, format: .audio(AudioFormat(sampleRate: 48000, channels: 2)), headers: [4, 5], bitrate: 0),
  ]

  private static let packet = MediaPacket(
    track: .video, decodeTime: .zero, presentationTime: .milliseconds(66), duration: .milliseconds(33),
    isKeyframe: true, bytes: [0, 0, 0, 2, 0x26, 1])

  @Sendable private static func run(_ bytes: borrowing Span<UInt8>) {
    guard let input = FuzzInput(bytes) else { return }
    let beginning = Int(input.mode & 7) % beginnings.count
    converseWithoutReading(input, from: beginning)
    guard input.isCut else {
      _ = converse(input, from: beginning, cut: false)
      return
    }
    require(
      converse(input, from: beginning, cut: true) == converse(input, from: beginning, cut: false),
      "pieces make a difference")
  }

  /// The client's events, or nil if it fails.
  private static func converse(_ input: FuzzInput, from beginning: Int, cut: Bool) -> [RTMPClient.Event]? {
    var client = beginnings[beginning]
    let wasAccepted = beginning >= beginnings.count - 2
    var events: [RTMPClient.Event]? = []
    var received = 0
    if !wasAccepted { checkSilence(&client) }
    input.forEachPiece(cut: cut) { piece in
      received += piece.count
      do {
        events? += try client.receive(piece)
      } catch {
        events = nil
      }
      require(client.outgoing.count < 8192 + 64 * received, "\(client.outgoing.count) bytes wait to be sent")
      return events != nil
    }
    if let events, !wasAccepted, !events.contains(.accepted) { checkSilence(&client) }
    sendMedia(&client)
    client.finish()
    return events
  }

  /// However much a server asks, what waits for it is bounded.
  private static func converseWithoutReading(_ input: FuzzInput, from beginning: Int) {
    var client = strictBeginnings[beginning]
    input.forEachPiece(cut: input.isCut) { piece in
      let goesOn = (try? client.receive(piece)) != nil
      let waiting = client.outgoing.count
      require(waiting < 8192, "\(waiting) bytes wait for a server that reads nothing")
      return goesOn
    }
  }

  private static func checkSilence(_ client: inout RTMPClient) {
    let before = client.outgoing.count
    sendMedia(&client)
    require(client.outgoing.count == before, "media before the server has accepted")
  }

  private static func sendMedia(_ client: inout RTMPClient) {
    try? client.start(tracks)
    try? client.send(packet, at: .seconds(1))
    client.sendData(name: "event", text: "text", at: .zero)
  }
}
