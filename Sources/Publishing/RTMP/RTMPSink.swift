import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

final class RTMPSink: ServerSink {
  private let url: RTMPURL
  private let tls: TLSSettings
  private var conversation: RTMPConversation?
  private var tracks: [Track] = []
  /// The media time of 0 on the connection's timeline.
  private var base: MediaTime?
  /// The first picture's time on a connection that continues a recording, with room for sound before it.
  private var lead = MediaTime.zero
  private var lastTime = MediaTime.zero
  private var liveness = RTMPLiveness(at: .now)
  /// What the server may take to answer what was sent last, as known when sending ended.
  private var patienceAtEnd = AnswerTime.minPatience

  init(_ url: RTMPURL, tls: TLSSettings) {
    self.url = url
    self.tls = tls
  }

  var backlog: Int { conversation?.backlog ?? 0 }

  var health: SinkHealth { liveness.health(transport) }

  /// Each of the kernel's figures is a system call.
  private var transport: RTMPLiveness.Transport {
    RTMPLiveness.Transport(
      unsent: conversation?.unsentBytes ?? 0, backlog: backlog,
      sent: Int64(clamping: conversation?.client.bytesSent ?? 0),
      roundTrip: liveness.roundTrip ?? conversation?.roundTrip)
  }

  func prepare(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) -> Bool {
    try connect(request, .stream, until: deadline, stop)
    return true
  }

  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    lead = request.type == .append ? request.lead : .zero
    if let conversation, try publish(on: conversation, request.type, until: deadline, stop) { return }
    try connect(request, .publish, until: deadline, stop)
  }

  private func connect(
    _ request: PublishRequest, _ extent: RTMPClient.Extent, until deadline: MonotonicTime, _ stop: Wakeup
  ) throws(SinkError) {
    tracks = request.tracks
    try RTMPConversation.authorized(at: "\(url.redacted): ") { authorization throws(SinkError) in
      let conversation = try RTMPConversation(
        url, request.type, tracks.map(\.codec), authorization: authorization, extent: extent, tls: tls,
        until: deadline, stop: stop)
      return try run(conversation, until: deadline, stop)
    }
  }

  /// False if the server has closed the prepared connection.
  private func publish(
    on conversation: RTMPConversation, _ type: PublishType, until deadline: MonotonicTime, _ stop: Wakeup
  ) throws(SinkError) -> Bool {
    do {
      try conversation.client.publish(type)
      _ = try run(conversation, until: deadline, stop)
      return true
    } catch {
      close(until: .now)
      let error = SinkError(error, at: url.redacted)
      guard [.closed, .closedBeforeAccepted].contains(error.kind) else { throw error }
      return false
    }
  }

  /// Nil once the stream is ready or the publish accepted; otherwise the authorization for a new connection.
  private func run(
    _ conversation: RTMPConversation, until deadline: MonotonicTime, _ stop: Wakeup
  ) throws(SinkError) -> RTMPAuthorization? {
    while true {
      let refusal = "\(url.redacted): the server closed the connection without giving a reason"
      for event in try conversation.exchange(until: deadline, also: [stop.descriptor], refusal: refusal) {
        switch event {
        case .accepted:
          self.conversation = conversation
          try start(conversation)
          return nil
        case .ready:
          self.conversation = conversation
          return nil
        case .authorizationRequested(let authorization): return authorization
        case .connected, .status, .acknowledged, .pong, .refused, .reconnectRequested, .ended:
          // Nothing was sent yet that could be acknowledged.
          try handle(event, taken: { 0 })
        }
      }
      if stop.isSignalled { throw SinkError(.stopped, "stopped while connecting") }
      if deadline <= .now {
        throw SinkError(.timedOut, "\(url.redacted): the publish was not accepted in time")
      }
    }
  }

  private func start(_ conversation: RTMPConversation) throws(SinkError) {
    let window = RTMPLiveness.window(bitrate: tracks.reduce(0) { $0 + $1.bitrate })
    liveness.accept(window: window, at: .now)
    conversation.client.requestAcknowledgements(every: window)
    // A server that lists its codecs accepts no others.
    if let taken = conversation.client.serverFourCCs,
      let codec = tracks.map(\.codec).first(where: { !$0.isSupported(by: taken) })
    {
      throw SinkError(.unsupported, "\(url.redacted): this server does not accept \(codec.name)")
    }
    do { try conversation.client.start(tracks) } catch { throw SinkError(error, at: url.redacted) }
  }

  func send(_ packet: MediaPacket) throws(SinkError) {
    let base = self.base ?? packet.decodeTime - lead
    self.base = base
    let time = max(.zero, packet.decodeTime - base)
    lastTime = max(lastTime, time)
    do {
      try conversation?.client.send(packet, at: time)
    } catch {
      throw SinkError(error, at: url.redacted)
    }
  }

  func send(_ event: CustomEvent) throws(SinkError) {
    conversation?.client.sendData(name: event.name, text: event.text, at: lastTime)
  }

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    guard let conversation else { return }
    if let ping = liveness.duePing(at: .now, after: conversation.client.bytesSent) {
      conversation.client.ping(ping)
    }
    try handle(try conversation.exchange(until: deadline, also: [wakeup.descriptor]))
    if !liveness.isAnswering { liveness.observe(taken: transport.taken, at: .now) }
  }

  private func handle(_ events: [RTMPClient.Event]) throws(SinkError) {
    for event in events { try handle(event) { transport.taken } }
  }

  private func handle(_ event: RTMPClient.Event, taken: () -> Int64) throws(SinkError) {
    switch event {
    case .connected, .ready, .accepted, .authorizationRequested, .status: break
    case .acknowledged(let total): liveness.acknowledge(total, taken: taken(), at: .now)
    case .pong(let number): liveness.pong(number, at: .now)
    case .refused(let refusal): throw SinkError(refusal, url)
    case .reconnectRequested(let location):
      throw SinkError(.moved, "the server requests a new connection", location: location.map(moved))
    case .ended: throw SinkError(.closed, "the server ended the publish")
    }
  }

  /// Servers name the application only; the key stays ours.
  private func moved(_ location: String) -> String {
    location.contains("://") ? "\(location)/\(url.streamName)" : location
  }

  var isOpen: Bool { conversation != nil }

  /// Once everything is answered, only the end of the connection is awaited.
  private var patience: MediaTime { liveness.awaitsPongs ? patienceAtEnd : AnswerTime.minPatience }

  func leave() {
    patienceAtEnd = liveness.patience(at: .now, isGivenUp: true)
    conversation?.leave()
    listen(until: .now)
  }

  func listen(until deadline: MonotonicTime) {
    guard let conversation, conversation.listen(until: deadline, patience: { patience }, hear) else { return }
    self.conversation = nil
  }

  /// The server's answers count also once it is left.
  private func hear(_ events: [RTMPClient.Event]) { try? handle(events) }

  @discardableResult
  func close(until deadline: MonotonicTime) -> Bool {
    guard let conversation else { return false }
    guard deadline > .now else {
      conversation.abort()
      self.conversation = nil
      return false
    }
    patienceAtEnd = liveness.patience(at: .now)
    let question = liveness.lastPing(at: .now, after: conversation.client.bytesSent)
    if let question { conversation.client.ping(question) }
    let hasClosed = conversation.finish(until: deadline, patience: { patience }, hear)
    let isSent = conversation.backlog == 0 && conversation.unsentBytes == 0 && !conversation.wasReset
    let hasArrived = question == nil ? isSent : !liveness.awaitsPongs
    // What has not arrived yet may still be confirmed.
    if hasClosed || hasArrived { self.conversation = nil }
    return hasArrived
  }
}
