import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP

/// The RTSP client on a connection, with RTP in the connection or in datagrams.
final class RTSPConversation {
  private let url: RTSPURL
  private let prefersDatagrams: Bool
  private let tracks: RTPTracks
  private var connection: Connection
  private var client: RTSPClient
  private var datagrams: RTPDatagrams?
  private(set) var hasAccepted = false
  private var isAnswering = false
  private var lastProgress = MonotonicTime.now
  private var nextProbe = MonotonicTime.now
  /// Everything up to the last probe, in bytes ever sent.
  private var probeEnd: UInt64 = 0
  private var answerTime: MediaTime?
  private var answers = AnswerTime(at: .now)
  private var probedAt = MonotonicTime.now
  private var datagramBytes: Int64 = 0

  /// Short enough to notice a stalled server within a second.
  private static let probeInterval = MediaTime.milliseconds(250)
  /// A large kernel buffer would hide the network's throughput.
  private static let maxUnsentBytes = 32 << 10
  /// Bounds the time spent on a server that keeps sending.
  private static let maxReads = 16
  private static let datagramRetry = MediaTime.milliseconds(2)

  init(
    _ url: RTSPURL, _ request: PublishRequest, isHeld: Bool, tls: TLSSettings, transport: RTSPSink.Transport,
    insecureAuth: Bool, until deadline: MonotonicTime, stop: Wakeup
  ) throws {
    self.url = url
    prefersDatagrams = transport == .udp
    // Many servers expect the picture first.
    let tracks = request.tracks.sorted { $0.kind == .video && $1.kind == .audio }
    self.tracks = try RTPTracks(tracks, name: "holdfast-\(UInt64.random(in: 0 ... .max))")
    let description = try sessionDescription(of: tracks, title: "Holdfast", host: url.host)
    connection = try Connection(
      host: url.host, port: url.port, tls: url.isSecure ? tls : nil, until: deadline, stop: stop)
    connection.limitUnsentBytes(to: Self.maxUnsentBytes)
    let datagrams = prefersDatagrams ? try RTPDatagrams(count: tracks.count, peer: connection.peerHost) : nil
    self.datagrams = datagrams
    var settings = RTSPClient.Settings(
      url: url, description: description,
      transport: datagrams.map { .datagrams(ports: $0.ports) } ?? .interleaved,
      digests: DigestFunctions(md5: { hexadecimal(md5($0)) }, sha256: { hexadecimal(sha256($0)) }),
      clientNonce: hexadecimal(randomBytes(8)))
    settings.sendsBasic = url.isSecure || connection.isLoopback || insecureAuth
    settings.isTrial = request.isTrial
    settings.isHeld = isHeld
    client = try RTSPClient(settings)
  }

  func prepare(until deadline: MonotonicTime, stop: Wakeup) throws {
    try client.begin(at: .now)
    try run(until: deadline, stop: stop, expecting: "answer") { client.isHeld }
  }

  func open(isTrial: Bool, until deadline: MonotonicTime, stop: Wakeup) throws {
    if client.isHeld { try client.publish(at: .now) } else { try client.begin(at: .now) }
    try run(until: deadline, stop: stop, expecting: "answer") {
      isTrial ? client.isSetUp : client.isRecording
    }
  }

  var serverName: String? { client.serverName }
  var backlog: Int { client.outgoing.count + (datagrams?.backlog ?? 0) }

  var health: SinkHealth {
    SinkHealth(
      lastProgress: lastProgress, confirmedUntil: lastProgress - (answerTime ?? .zero),
      isWaitingForPeer: client.isProbing, isPeerAnswering: isAnswering,
      unsentBytes: connection.unsentBytes, roundTrip: connection.roundTrip ?? answerTime,
      lossRate: tracks.lossRate, bytesSent: Int64(clamping: client.outgoing.added) + datagramBytes)
  }

  func send(_ packet: MediaPacket) throws {
    // The server accepts nothing between pause and resume.
    guard client.isRecording else { return }
    try tracks.write(packet, at: .now, wallClock: .now) { packet, track, isReport in
      if let datagrams {
        datagramBytes += Int64(packet.count)
        datagrams.send(packet, track: track, isReport: isReport)
      } else {
        client.send(packet, track: track, isControl: isReport)
      }
    }
    try flush()
  }

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws {
    let hadBacklog = backlog > 0
    while true {
      if .now >= nextProbe {
        nextProbe = .now + Self.probeInterval
        if !client.isProbing {
          probedAt = .now
          try client.probe(at: probedAt)
          probeEnd = client.outgoing.added
        }
      }
      try transfer()
      let hasEmptied = hadBacklog && backlog == 0
      guard !hasEmptied, .now < deadline else { return }
      if try wait(until: min(deadline, nextProbe), also: wakeup.descriptor) { return }
    }
  }

  /// False if the server cannot pause; after an error the connection must be closed.
  func pause(until deadline: MonotonicTime) throws -> Bool {
    guard client.canPause else { return false }
    try client.pause(at: .now)
    tracks.pause()
    try run(until: deadline, expecting: "answer to PAUSE") { client.isPaused }
    return true
  }

  func resume(until deadline: MonotonicTime) throws {
    try client.resume(from: tracks.position, at: .now)
    try run(until: deadline, expecting: "answer to RECORD") { client.isRecording }
  }

  /// True if the server has everything: it has answered behind it, or has never answered anything.
  func close(until deadline: MonotonicTime) -> Bool {
    guard .now < deadline else {
      connection.abort()
      return false
    }
    let isAsked = client.isRecording || client.isPaused
    var hasAnswered: Bool { client.isEnded || isAsked && isAnswering && !client.isProbing }
    let patience = answers.patience(at: .now, askedAt: isAnswering && client.isProbing ? probedAt : nil)
    do {
      try client.probe(at: .now, isLast: true)
      try client.tearDown(at: .now)
      try run(until: deadline, expecting: "way for the last packets") { backlog == 0 }
      connection.endSending(until: deadline)
      try listen(until: deadline) { hasAnswered ? AnswerTime.minPatience : patience }
    } catch let error as ConnectionError where error.kind == .closed && hasAnswered {
      // The server has closed the connection with its answer.
    } catch {
      connection.abort()
      return false
    }
    return hasAnswered || !isAnswering && connection.unsentBytes == 0
  }

  /// Reads until the server has ended the session, or is silent for longer than `patience` once it has been handed
  /// everything.
  private func listen(until deadline: MonotonicTime, patience: () -> MediaTime) throws {
    var heardAt = MonotonicTime.now
    while true {
      try transfer()
      if client.isEnded { return }
      if connection.unsentBytes > 0 { heardAt = .now }
      heardAt = max(heardAt, lastProgress)
      let limit = min(deadline, heardAt + patience())
      guard .now < limit else { return }
      _ = try wait(until: min(limit, .now + .milliseconds(10)), also: nil)
    }
  }
}

// MARK: - The network

extension RTSPConversation {
  /// Moves bytes both ways until `isDone`; throws at the deadline.
  private func run(
    until deadline: MonotonicTime, stop: Wakeup? = nil, expecting answer: String, _ isDone: () -> Bool
  ) throws {
    while true {
      try transfer()
      if isDone() { return }
      guard .now < deadline else { throw SinkError(.timedOut, "\(url.redacted): no \(answer) in time") }
      if try wait(until: deadline, also: stop?.descriptor) { throw SinkError(.stopped, "stopped") }
    }
  }

  private func transfer() throws {
    try flush()
    var input: [UInt8] = []
    for _ in 0..<Self.maxReads {
      guard try read(&input) else { break }
    }
    datagrams?.receive { tracks.update(from: $0) }
    try flush()
  }

  private func flush() throws {
    datagrams?.flush()
    try connection.write(from: &client.outgoing)
  }

  /// Reads and handles available bytes; false if there are none.
  private func read(_ input: inout [UInt8]) throws -> Bool {
    input.removeAll(keepingCapacity: true)
    switch try connection.read(into: &input) {
    case .bytes: break
    case .nothingYet: return false
    case .ended: throw ConnectionError(.closed, "\(url.redacted): the server ended the connection")
    }
    for event in try client.receive(input.span, at: .now) { try handle(event) }
    return true
  }

  private func handle(_ event: RTSPClient.Event) throws {
    switch event {
    case .accepted:
      // Always the server's own address, whatever it specifies.
      try datagrams?.connect(to: connection.peerHost, client.paths)
      hasAccepted = true
      lastProgress = .now
    case .paused, .resumed: lastProgress = .now
    case .answered(let after):
      guard hasTakenProbe else {
        throw SinkError(.violated, "\(url.redacted): the server answers what it has not read")
      }
      isAnswering = true
      answerTime = after
      answers.answered(after: after, at: .now)
      lastProgress = .now
    case .interleaved(_, let bytes):
      for report in ReceptionReport.reports(in: bytes.span) { tracks.update(from: report) }
    case .transportRefused(let refusal): try changeTransport(after: refusal)
    case .refused(let refusal), .pauseRefused(let refusal): throw SinkError(refusal, url)
    case .redirected(let location):
      throw SinkError(.moved, "the server redirects to another address", location: location)
    case .tornDown: break
    case .ended: throw SinkError(.closed, "\(url.redacted): the server has ended the session")
    }
  }

  /// The server's operating system has the probe: its program can't have read more. TLS adds bytes of its own.
  private var hasTakenProbe: Bool {
    let handedOver = client.outgoing.added - UInt64(client.outgoing.count)
    return url.isSecure || handedOver >= probeEnd + UInt64(connection.unsentBytes)
  }

  private func changeTransport(after refusal: RTSPRefusal) throws {
    // Encrypted media must not fall back to datagrams in the clear.
    guard !url.isSecure, prefersDatagrams == (datagrams != nil) else { throw SinkError(refusal, url) }
    datagrams =
      prefersDatagrams ? nil : try RTPDatagrams(count: tracks.count, peer: connection.peerHost)
    let other = datagrams.map { RTSPTransport.datagrams(ports: $0.ports) } ?? .interleaved
    try client.setUp(over: other, at: .now)
  }

  private func wait(until deadline: MonotonicTime, also descriptor: Int32?) throws -> Bool {
    let others = [descriptor].compactMap { $0 }
    let sockets = datagrams?.descriptors ?? []
    // A backlog of datagrams is retried soon.
    let hasBacklog = datagrams.map { $0.backlog > 0 } ?? false
    let deadline = hasBacklog ? min(deadline, .now + Self.datagramRetry) : deadline
    let readiness = try connection.wait(
      toWrite: !client.outgoing.isEmpty, until: deadline, also: others + sockets)
    guard readiness.contains(.others), !others.isEmpty else { return false }
    return try sockets.isEmpty || connection.wait(until: .now, also: others).contains(.others)
  }
}
