import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

final class RTMPSink: PacketSink {
  private let url: RTMPURL
  private let tls: TLSSettings
  private var conversation: RTMPConversation?
  private var tracks: [Track] = []
  /// The media time at which the connection's own time line begins.
  private var base: MediaTime?
  /// How much after 0 the first picture is where a recording is continued: its sound may come from before it, and the
  /// server's last packet is not the latest one where a track lags behind the other.
  private var lead = MediaTime.zero
  private var lastTime = MediaTime.zero
  private var liveness = RTMPLiveness(at: .now)

  init(_ url: RTMPURL, tls: TLSSettings) {
    self.url = url
    self.tls = tls
  }

  var backlog: Int { conversation?.backlog ?? 0 }

  var health: SinkHealth { liveness.health(transport) }

  private var transport: RTMPLiveness.Transport {
    RTMPLiveness.Transport(
      unsent: conversation?.unsentBytes ?? 0, backlog: backlog,
      sent: Int64(clamping: conversation?.client.bytesSent ?? 0), roundTrip: conversation?.roundTrip)
  }

  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    tracks = request.tracks
    lead = request.type == .append ? request.lead : .zero
    _ = try RTMPConversation.authorized(at: "\(url.redacted): ") { authorization throws(SinkError) in
      try attempt(request.type, authorization, until: deadline, stop)
    }
  }

  /// Nil when the server has accepted; else what it asks for on a new connection.
  private func attempt(
    _ type: PublishType, _ authorization: RTMPAuthorization?, until deadline: MonotonicTime,
    _ stop: Wakeup
  ) throws(SinkError) -> RTMPAuthorization? {
    let conversation = try RTMPConversation(
      url, type, tracks.map(\.codec), authorization: authorization, tls: tls, until: deadline, stop: stop)
    while true {
      let refusal = "\(url.redacted): the server ended the connection without a word"
      for event in try conversation.turn(until: deadline, also: [stop.descriptor], refusal: refusal) {
        switch event {
        case .accepted:
          self.conversation = conversation
          try start(conversation)
          return nil
        case .authorizationRequested(let authorization): return authorization
        case .connected, .status, .acknowledged, .pong, .refused, .reconnectRequested, .ended:
          try handle(event)
        }
      }
      if stop.isSignalled { throw SinkError(.stopped, "stopped while connecting") }
      if deadline <= .now {
        throw SinkError(.timedOut, "\(url.redacted): no consent to publish within the time for an attempt")
      }
    }
  }

  private func start(_ conversation: RTMPConversation) throws(SinkError) {
    let window = RTMPLiveness.window(bitrate: tracks.reduce(0) { $0 + $1.bitrate })
    liveness.accept(window: window, at: .now)
    conversation.client.askForAcknowledgements(every: window)
    // A server that says which codecs it takes means it.
    if let taken = conversation.client.serverFourCCs,
      let codec = tracks.map(\.codec).first(where: { !$0.isTaken(by: taken) })
    {
      throw SinkError(.unsupported, "\(url.redacted): this server does not take \(codec.name)")
    }
    do {
      try conversation.client.start(tracks)
    } catch {
      throw SinkError(error, at: url.redacted)
    }
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
    for event in try conversation.turn(until: deadline, also: [wakeup.descriptor]) { try handle(event) }
    liveness.observe(transport, at: .now)
  }

  private func handle(_ event: RTMPClient.Event) throws(SinkError) {
    switch event {
    case .connected, .accepted, .authorizationRequested, .status: break
    case .acknowledged(let total): liveness.acknowledge(total, at: .now)
    case .pong(let number): liveness.answer(to: number, at: .now)
    case .refused(let refusal): throw SinkError(refusal, url)
    case .reconnectRequested(let location):
      throw SinkError(.moved, "the server asks to be reached anew", location: location.map(moved))
    case .ended: throw SinkError(.closed, "the server ended the publish")
    }
  }

  /// A server says where its application is; the key stays ours.
  private func moved(_ location: String) -> String {
    location.contains("://") ? "\(location)/\(url.streamName)" : location
  }

  func close(until deadline: MonotonicTime) {
    if deadline > .now {
      conversation?.finish(until: deadline)
    } else {
      conversation?.abort()
    }
    conversation = nil
  }
}
