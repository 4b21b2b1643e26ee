import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRTSP

/// Publishes to an RTSP server: RTP within the connection, or in datagrams beside it.
///
/// The server's program is asked for a sign of life all the time; what it answers is the connection's progress.
package final class RTSPSink: PacketSink {
  /// How the media travels; where the server refuses that, the other way is tried.
  package enum Transport: String, Hashable, Sendable, CaseIterable {
    case tcp, udp
  }

  private let url: RTSPURL
  private let tls: TLSSettings
  private let transport: Transport
  private var conversation: RTSPConversation?
  /// That of the conversation, once it is over.
  private var lastHealth = SinkHealth(lastProgress: .now)

  /// With `tls` where the URL says rtsps: media then always goes within the connection.
  package init(_ url: RTSPURL, tls: TLSSettings = TLSSettings(), transport: Transport = .tcp) {
    self.url = url
    self.tls = tls
    self.transport = url.isSecure ? .tcp : transport
  }

  package func open(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) {
    guard conversation == nil else { return }
    do {
      let conversation = try RTSPConversation(
        url, request, tls: tls, transport: transport, until: deadline, stop: stop)
      self.conversation = conversation
      try conversation.open(isTrial: request.isTrial, until: deadline, stop: stop)
    } catch {
      let failure = sinkError(error)
      // A session that has come half way must not hold the name.
      close(until: .now)
      throw failure
    }
  }

  package var backlog: Int { conversation?.backlog ?? 0 }
  package var health: SinkHealth { conversation?.health ?? lastHealth }

  package func send(_ packet: MediaPacket) throws(SinkError) {
    try converse { try $0.send(packet) }
  }

  package func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    try converse { try $0.exchange(until: deadline, wakeup: wakeup) }
  }

  /// RTSP has no way to tell viewers anything.
  package func send(_ event: CustomEvent) throws(SinkError) {}

  package func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool {
    try converse { try $0.pause(until: deadline) } ?? false
  }

  package func resume(until deadline: MonotonicTime) throws(SinkError) {
    try converse { try $0.resume(until: deadline) }
  }

  package func close(until deadline: MonotonicTime) {
    conversation?.close(until: deadline)
    lastHealth = health
    conversation = nil
  }

  @discardableResult
  private func converse<Result>(_ body: (RTSPConversation) throws -> Result) throws(SinkError) -> Result? {
    do {
      return try conversation.map(body)
    } catch {
      throw sinkError(error)
    }
  }

  private func sinkError(_ error: any Error) -> SinkError {
    SinkError(error, at: url.redacted, hasAccepted: conversation?.hasAccepted ?? false)
  }
}
