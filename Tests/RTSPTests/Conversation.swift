import HoldfastMediaModel
import HoldfastRTSP

/// A client and a server that talk, until neither has anything more to say.
struct Conversation {
  var client: RTSPClient
  var server = ScriptedServer()
  private(set) var events: [RTSPClient.Event] = []
  /// In how many bytes at a time the server's answers reach the client.
  var pieceSize = Int.max
  var now = MonotonicTime(nanoseconds: 0)

  static let description = """
    v=0\r
    m=video 0 RTP/AVP 96\r
    a=control:streamid=0\r
    m=audio 0 RTP/AVP 97\r
    a=control:streamid=1\r

    """

  /// Digests that show what went into them.
  static let digests = DigestFunctions(
    md5: { "<\(String(decoding: $0, as: UTF8.self))>" },
    sha256: { "{\(String(decoding: $0, as: UTF8.self))}" })

  init(
    _ url: String = "rtsp://host/live/show", transport: RTSPTransport = .interleaved,
    description: String = Self.description, answers: [String: [ScriptedServer.Answer]] = [:],
    methods: String? = nil, sendsBasic: Bool? = nil
  ) throws {
    var settings = RTSPClient.Settings(
      url: try RTSPURL(url), description: description, transport: transport, digests: Self.digests,
      clientNonce: "ours")
    settings.sendsBasic = sendsBasic ?? settings.sendsBasic
    client = try RTSPClient(settings)
    server.answers = answers
    server.methods = methods ?? server.methods
  }

  /// From the beginning up to where the server wants media, or does not.
  mutating func begin() throws {
    try client.begin(at: now)
    try talk()
  }

  /// One whose server has been led to the recording, or has refused.
  consuming func begun() throws -> Conversation {
    try begin()
    return self
  }

  mutating func probe() throws {
    try client.probe(at: now)
    try talk()
  }

  mutating func pause() throws {
    try client.pause(at: now)
    try talk()
  }

  /// The refusal that was the last event.
  var refusal: RTSPRefusal? { if case .refused(let refusal) = events.last { refusal } else { nil } }

  mutating func talk() throws {
    while !client.outgoing.isEmpty { try hear(try server.take(client.outgoing.takeAll())) }
  }

  /// Gives the client what the server says.
  mutating func hear(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieceSize))
      events += try client.receive(piece.span, at: now)
      rest = rest.dropFirst(piece.count)
    }
  }

  mutating func hear(_ text: String) throws { try hear(Array(text.utf8)) }

  mutating func takeEvents() -> [RTSPClient.Event] {
    defer { events = [] }
    return events
  }
}
