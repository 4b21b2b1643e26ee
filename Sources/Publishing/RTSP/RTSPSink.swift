import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRTSP

/// Publishes to an RTSP server, with RTP in the connection or in datagrams.
///
/// The server is probed continuously; its answers are the connection's progress.
package final class RTSPSink: ServerSink {
  /// The preferred transport of media; the other one is tried if the server refuses it.
  package enum Transport: String, Hashable, Sendable, CaseIterable {
    case tcp, udp
  }

  private let url: RTSPURL
  private let tls: TLSSettings
  private let transport: Transport
  private let insecureAuth: Bool
  private var conversation: RTSPConversation?
  private var lastHealth = SinkHealth(lastProgress: .now)

  /// `tls` applies to rtsps, where media always stays in the connection. `insecureAuth` sends the password unencrypted
  /// to a server that asks for it; one on this machine gets it anyway.
  package init(
    _ url: RTSPURL, tls: TLSSettings = TLSSettings(), transport: Transport = .tcp, insecureAuth: Bool = false
  ) {
    self.url = url
    self.tls = tls
    self.insecureAuth = insecureAuth
    self.transport = url.isSecure ? .tcp : transport
  }

  package func open(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) {
    if conversation != nil {
      do throws(SinkError) {
        return try attempt { try conversation?.open(isTrial: request.isTrial, until: deadline, stop: stop) }
      } catch {
        guard [.closed, .closedBeforeAccepted].contains(error.kind) else { throw error }
      }
    }
    try attempt {
      conversation = try RTSPConversation(
        url, request, isHeld: false, tls: tls, transport: transport, insecureAuth: insecureAuth,
        until: deadline, stop: stop)
      try conversation?.open(isTrial: request.isTrial, until: deadline, stop: stop)
    }
  }

  package func prepare(
    _ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SinkError) -> Bool {
    try attempt {
      conversation = try RTSPConversation(
        url, request, isHeld: true, tls: tls, transport: transport, insecureAuth: insecureAuth,
        until: deadline, stop: stop)
      try conversation?.prepare(until: deadline, stop: stop)
    }
    return true
  }

  /// After a failure nothing is left open: a half-opened session must not hold the name.
  private func attempt(_ body: () throws -> Void) throws(SinkError) {
    do { try body() } catch {
      let failure = sinkError(error)
      close(until: .now)
      throw failure
    }
  }

  package var serverName: String? { conversation?.serverName }
  package var backlog: Int { conversation?.backlog ?? 0 }
  package var health: SinkHealth { conversation?.health ?? lastHealth }

  package func send(_ packet: MediaPacket) throws(SinkError) { try perform { try $0.send(packet) } }

  package func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    try perform { try $0.exchange(until: deadline, wakeup: wakeup) }
  }

  package func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool {
    try perform { try $0.pause(until: deadline) } ?? false
  }

  package func resume(until deadline: MonotonicTime) throws(SinkError) {
    try perform { try $0.resume(until: deadline) }
  }

  @discardableResult
  package func close(until deadline: MonotonicTime) -> Bool {
    let hasArrived = conversation?.close(until: deadline) ?? false
    lastHealth = health
    conversation = nil
    return hasArrived
  }

  @discardableResult
  private func perform<Result>(_ body: (RTSPConversation) throws -> Result) throws(SinkError) -> Result? {
    do { return try conversation.map(body) } catch { throw sinkError(error) }
  }

  private func sinkError(_ error: any Error) -> SinkError {
    SinkError(error, at: url.redacted, hasAccepted: conversation?.hasAccepted ?? false)
  }
}
