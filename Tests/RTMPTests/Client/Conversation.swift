import HoldfastMediaModel

@testable import HoldfastRTMP

/// A client and a scripted server, whose words come to each other in pieces.
struct Conversation {
  var client: RTMPClient
  var server = ScriptedServer()
  private(set) var events: [RTMPClient.Event] = []
  let arrival: Arrival

  init(
    _ arrival: Arrival = .whole, url: String = "rtmp://host/app/key", publishType: PublishType = .record,
    codecs: [Codec] = [.h264, .aac], digests: MessageDigests = .real, limits: RTMPLimits = RTMPLimits(),
    authorization: RTMPAuthorization? = nil, extent: RTMPClient.Extent = .publish,
    answers: [String: ScriptedServer.Answer] = [:]
  ) throws {
    var settings = RTMPClient.Settings(
      url: try RTMPURL(url), publishType: publishType, codecs: codecs, digests: digests,
      random: [1, 2, 3, 4] + Array(repeating: 5, count: 1532))
    settings.limits = limits
    settings.extent = extent
    settings.authorization = authorization
    client = RTMPClient(settings)
    self.arrival = arrival
    server.answers.merge(answers) { $1 }
    client.begin()
  }

  /// The refusal that was the last event.
  var refusal: RTMPRefusal? { if case .refused(let refusal) = events.last { refusal } else { nil } }

  /// Lets the client do something, and both talk until neither has anything more to say.
  mutating func run(_ act: (inout RTMPClient) throws -> Void = { _ in }) throws {
    try act(&client)
    while true {
      let toServer = client.takeOutgoing()
      for piece in arrival.pieces(of: toServer) { try server.take(piece) }
      let toClient = server.takeOutput()
      if toServer.isEmpty, toClient.isEmpty { return }
      events += try client.take(toClient, arrival)
    }
  }

  /// One in which neither has anything more to say.
  consuming func settled() throws -> Conversation {
    try run()
    return self
  }

  /// Sends messages from the server, and returns the resulting events.
  mutating func hear(_ messages: RTMPMessage...) throws -> [RTMPClient.Event] {
    let before = events.count
    for message in messages { server.say(message) }
    try run()
    return Array(events[before...])
  }

  static func publishing(
    _ arrival: Arrival = .whole, codecs: [Codec] = [.h264, .aac]
  ) throws -> Conversation {
    var conversation = try Conversation(arrival, codecs: codecs).settled()
    try conversation.client.start(codecs.map(Sample.track))
    return try conversation.settled()
  }
}

/// Tracks and packets with little in them.
enum Sample {
  static let sequenceHeader: [UInt8] = [0x0A, 0x0B, 0, 0, 0, 0x04, 0x3C, 0xFF, 0xBC, 0xFF, 0xE6, 0x40, 0x40]

  static func track(_ codec: Codec) -> Track {
    switch codec.kind {
    case .video:
      Track(
        codec: codec,
        format: .video(VideoFormat(size: PictureSize(width: 640, height: 360), frameRate: .thirty)),
        headers: codec == .av1 ? sequenceHeader : [1, 100, 0, 31], bitrate: 2_500_000)
    case .audio:
      Track(
        codec: codec, format: .audio(AudioFormat(sampleRate: 48000, channels: 2)), headers: [0x11, 0x90],
        bitrate: 128_000)
    }
  }

  static func packet(
    _ track: TrackKind, isKeyframe: Bool = true, shownLater milliseconds: Int64 = 0,
    headers: [UInt8]? = nil, _ bytes: [UInt8]
  ) -> MediaPacket {
    MediaPacket(
      track: track, decodeTime: .zero, presentationTime: .milliseconds(milliseconds),
      duration: .milliseconds(33), isKeyframe: isKeyframe, bytes: bytes, headers: headers)
  }
}
