package import HoldfastMediaModel

/// The publishing side of an RTSP connection, without a socket: bytes and commands in, events and bytes out.
package struct RTSPClient: Sendable {
  package struct Settings: Sendable {
    package var url: RTSPURL
    /// What is published, as SDP; it decides how many tracks there are and what they are called.
    package var description: String
    package var transport: RTSPTransport
    package var digests: DigestFunctions
    /// Our share in digests, best as random as it can be.
    package var clientNonce: String
    package var userAgent = "Holdfast"
    package var limits = RTSPLimits()
    /// It only asks whether it may, and stops short of recording.
    package var isTrial = false

    package init(
      url: RTSPURL, description: String, transport: RTSPTransport, digests: DigestFunctions,
      clientNonce: String
    ) {
      self.url = url
      self.description = description
      self.transport = transport
      self.digests = digests
      self.clientNonce = clientNonce
    }
  }

  package enum Event: Hashable, Sendable {
    /// The server wants the media from now on.
    case accepted
    /// `setUp(over:)` may offer another transport.
    case transportRefused(RTSPRefusal)
    /// Nothing more comes of this connection.
    case refused(RTSPRefusal)
    case answered(after: MediaTime)
    /// A packet of the server's, such as a receiver report.
    case interleaved(channel: UInt8, bytes: [UInt8])
    /// The stream is to be published elsewhere; nil: in the same place, on a new connection.
    case redirected(location: String?)
    case paused
    /// The server goes on recording.
    case pauseRefused(RTSPRefusal)
    case resumed
    /// The server has answered TEARDOWN.
    case left
    case ended
  }

  enum Stage: Hashable, Sendable {
    case idle, opening, choosingTransport, recording, pausing, paused, resuming, leaving, over
  }

  let settings: Settings
  let controls: [String]
  package var outgoing = OutgoingBytes()
  var reader: RTSPReader
  var stage = Stage.idle
  var transport: RTSPTransport
  /// The tracks that are set up so far.
  package internal(set) var paths: [RTSPTrackPath] = []
  var outstanding = OutstandingRequests()
  var authorization: Authorization?
  /// The server has granted something for these credentials.
  var isAuthorizationProven = false
  var base: String
  var session: String?
  var serverMethods: Set<String> = []
  var probeMethod = RTSPMethod.options
  /// Answers of ours since all was sent the last time.
  var answerBytes = 0

  package init(_ settings: Settings) throws(RTSPError) {
    let controls = SessionDescription.controls(in: settings.description)
    guard (1...RTSPTransport.maxTracks).contains(controls.count) else {
      throw RTSPError(.unexpected, "a session description of \(controls.count) tracks")
    }
    self.settings = settings
    self.controls = controls
    transport = settings.transport
    base = settings.url.requestURI
    reader = RTSPReader(limits: settings.limits)
  }

  /// The server has said that it can pause a recording.
  package var canPause: Bool { serverMethods.contains(RTSPMethod.pause.rawValue) }

  package var isRecording: Bool { stage == .recording }
  /// The server has agreed to every track.
  package internal(set) var isSetUp = false

  package var isPaused: Bool { stage == .paused }

  /// Nothing more comes of this connection.
  package var isOver: Bool { stage == .over }

  /// The server has not answered the last probe yet.
  package var isProbing: Bool { outstanding.hasProbe }

  /// Asks what the server can do; all else up to `accepted` follows from its answers.
  package mutating func begin(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .idle else { throw RTSPError(.unexpected, "begun twice") }
    stage = .opening
    try send(OutgoingRequest(purpose: .ask, method: .options, uri: base), at: now)
  }

  /// Goes on after `transportRefused`.
  package mutating func setUp(over transport: RTSPTransport, at now: MonotonicTime) throws(RTSPError) {
    guard stage == .choosingTransport else { throw RTSPError(.unexpected, "no transport is being chosen") }
    self.transport = transport
    stage = .opening
    try setUpNextTrack(at: now)
  }

  /// Asks the server's program for a sign of life, which also keeps the session alive. Does nothing while it owes one.
  package mutating func probe(at now: MonotonicTime) throws(RTSPError) {
    switch stage {
    case .recording, .paused:
      guard !isProbing else { return }
      try send(OutgoingRequest(purpose: .probe, method: probeMethod, uri: base), at: now)
    case .idle, .opening, .choosingTransport, .pausing, .resuming, .leaving, .over: return
    }
  }

  /// Asks for a pause; media must wait from now on.
  package mutating func pause(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .recording else { throw RTSPError(.unexpected, "there is nothing to pause") }
    stage = .pausing
    try send(OutgoingRequest(purpose: .pause, method: .pause, uri: base), at: now)
  }

  /// Asks the server to go on in the same session, `position` behind the stream's beginning.
  package mutating func resume(from position: MediaTime, at now: MonotonicTime) throws(RTSPError) {
    guard stage == .paused else { throw RTSPError(.unexpected, "there is nothing to resume") }
    stage = .resuming
    try record(.recordAgain, from: position, at: now)
  }

  /// Says good-bye; `left` follows where the server answers.
  package mutating func tearDown(at now: MonotonicTime) throws(RTSPError) {
    switch stage {
    case .recording, .pausing, .paused, .resuming, .opening, .choosingTransport:
      stage = .leaving
      guard session != nil else { return }
      try send(OutgoingRequest(purpose: .tearDown, method: .tearDown, uri: base), at: now)
    case .idle, .leaving, .over: return
    }
  }

  /// Puts a packet between the messages. Does nothing where the server wants none now, or in datagrams.
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

  /// Takes what came from the server. After an error the connection is of no use any more.
  package mutating func receive(
    _ bytes: borrowing Span<UInt8>, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    if outgoing.isEmpty { answerBytes = 0 }
    reader.append(bytes)
    var events: [Event] = []
    while let item = try reader.next() {
      switch item {
      case .interleaved(let channel, let bytes):
        events.append(.interleaved(channel: channel, bytes: bytes))
      case .message(let message):
        switch message.start {
        case .request(let method, _): events += try answer(method, message)
        case .response(let status, let reason): events += try take(message, status, reason, at: now)
        }
      }
    }
    return events
  }
}
