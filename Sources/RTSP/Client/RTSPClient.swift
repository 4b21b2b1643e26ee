package import HoldfastMediaModel

/// The publishing side of an RTSP connection, without a socket: bytes and commands in, events and bytes out.
package struct RTSPClient: Sendable {
  package struct Settings: Sendable {
    package var url: RTSPURL
    /// The session description (SDP), which defines the tracks and their names.
    package var description: String
    package var transport: RTSPTransport
    package var digests: DigestFunctions
    /// Our random part of digests.
    package var clientNonce: String
    package var userAgent = "Holdfast"
    package var limits = RTSPLimits()
    /// Whether to send the password itself where a server asks for it; by default over TLS only.
    package var sendsBasic: Bool
    /// Only checks whether a publish is allowed; does not record.
    package var isTrial = false
    /// Announces nothing before `publish`.
    package var isHeld = false

    package init(
      url: RTSPURL, description: String, transport: RTSPTransport, digests: DigestFunctions,
      clientNonce: String
    ) {
      self.url = url
      self.description = description
      self.transport = transport
      self.digests = digests
      self.clientNonce = clientNonce
      sendsBasic = url.isSecure
    }
  }

  package enum Event: Hashable, Sendable {
    case accepted
    /// `setUp(over:)` may offer another transport.
    case transportRefused(RTSPRefusal)
    case refused(RTSPRefusal)
    case answered(after: MediaTime)
    /// A packet from the server, such as a receiver report.
    case interleaved(channel: UInt8, bytes: [UInt8])
    /// The stream is to be published elsewhere; nil for the same address, on a new connection.
    case redirected(location: String?)
    case paused
    /// The server continues to record.
    case pauseRefused(RTSPRefusal)
    case resumed
    case tornDown
    case ended
  }

  enum Stage: Hashable, Sendable {
    case idle, opening, held, choosingTransport, recording, pausing, paused, resuming, tearingDown, ended
  }

  let settings: Settings
  let controls: [String]
  package var outgoing = OutgoingBytes()
  var reader: RTSPReader
  var stage = Stage.idle
  var transport: RTSPTransport
  package internal(set) var paths: [RTSPTrackPath] = []
  var outstanding = OutstandingRequests()
  var authorization: Authorization?
  /// The server has accepted a request for these credentials.
  var isAuthorizationAccepted = false
  var base: String
  var session: String?
  var serverMethods: Set<String> = []
  /// The server's product name; nil if it sends none.
  package internal(set) var serverName: String?
  var probeMethod = RTSPMethod.options
  var answers: UnreadAnswers

  package init(_ settings: Settings) throws(RTSPError) {
    let controls = SessionDescription.controls(in: settings.description)
    guard (1...RTSPTransport.maxTracks).contains(controls.count) else {
      throw RTSPError(.unexpected, "a session description with \(controls.count) tracks")
    }
    self.settings = settings
    self.controls = controls
    transport = settings.transport
    base = settings.url.requestURI
    reader = RTSPReader(limits: settings.limits)
    answers = UnreadAnswers(limit: settings.limits.unreadAnswerBytes)
  }

  package var canPause: Bool { serverMethods.contains(RTSPMethod.pause.rawValue) }

  /// Connected, with credentials that the server has not refused.
  package var isHeld: Bool { stage == .held }
  package var isRecording: Bool { stage == .recording }
  /// The server has accepted every track.
  package var isSetUp: Bool { paths.count == controls.count }

  package var isPaused: Bool { stage == .paused }

  package var isEnded: Bool { stage == .ended }

  package var isProbing: Bool { outstanding.hasProbe }

  /// Requests the server's methods; the steps up to `accepted` follow.
  package mutating func begin(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .idle else { throw RTSPError(.unexpected, "started twice") }
    stage = .opening
    try send(OutgoingRequest(purpose: .options, method: .options, uri: base), at: now)
  }

  /// Announces the stream; the steps up to `accepted` follow.
  package mutating func publish(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .held else { throw RTSPError(.unexpected, "there is nothing to publish") }
    stage = .opening
    try announce(at: now)
  }

  package mutating func setUp(over transport: RTSPTransport, at now: MonotonicTime) throws(RTSPError) {
    guard stage == .choosingTransport else { throw RTSPError(.unexpected, "no transport is being chosen") }
    self.transport = transport
    stage = .opening
    try setUpNextTrack(at: now)
  }

  /// Requests a sign of life, which also keeps the session alive. Does nothing while a probe is pending, unless this is
  /// the last one: no probe is pending once everything before it is answered.
  package mutating func probe(at now: MonotonicTime, isLast: Bool = false) throws(RTSPError) {
    guard isRecording || isPaused, isLast || !isProbing else { return }
    try send(OutgoingRequest(purpose: .probe, method: probeMethod, uri: base), at: now)
  }

  package mutating func pause(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .recording else { throw RTSPError(.unexpected, "there is nothing to pause") }
    stage = .pausing
    try send(OutgoingRequest(purpose: .pause, method: .pause, uri: base), at: now)
  }

  /// Requests to continue in the same session, at `position` of the stream.
  package mutating func resume(from position: MediaTime, at now: MonotonicTime) throws(RTSPError) {
    guard stage == .paused else { throw RTSPError(.unexpected, "there is nothing to resume") }
    stage = .resuming
    try record(.resume, from: position, at: now)
  }

  /// Ends the session; `tornDown` follows if the server answers.
  package mutating func tearDown(at now: MonotonicTime) throws(RTSPError) {
    guard ![.idle, .tearingDown, .ended].contains(stage) else { return }
    stage = .tearingDown
    guard session != nil else { return }
    try send(OutgoingRequest(purpose: .tearDown, method: .tearDown, uri: base), at: now)
  }

  /// Interleaves a packet. Does nothing while media must wait, or if media travels in datagrams.
  package mutating func send(_ packet: borrowing Span<UInt8>, track: Int, isControl: Bool = false) {
    guard stage == .recording, paths.indices.contains(track), packet.count <= Int(UInt16.max),
      case .interleaved(let rtp, let rtcp) = paths[track]
    else { return }
    outgoing.append(0x24)
    outgoing.append(isControl ? rtcp : rtp)
    outgoing.append(UInt8(truncatingIfNeeded: packet.count >> 8))
    outgoing.append(UInt8(truncatingIfNeeded: packet.count))
    outgoing.append(contentsOf: packet)
  }

  /// Handles bytes from the server. After an error the connection is unusable.
  package mutating func receive(
    _ bytes: borrowing Span<UInt8>, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    reader.append(bytes)
    var events: [Event] = []
    while let item = try reader.next() {
      switch item {
      case .interleaved(let channel, let bytes):
        events.append(.interleaved(channel: channel, bytes: bytes))
      case .message(let message):
        switch message.start {
        case .request(let method, _): events += try handleRequest(method, message)
        case .response(let status, let reason): events += try handleResponse(message, status, reason, at: now)
        }
      }
    }
    return events
  }
}
