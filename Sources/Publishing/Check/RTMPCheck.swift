import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// Checks an RTMP server: each step of a publish, then the upload rate on a second connection.
struct RTMPCheck {
  private typealias Result = ServerCheck.Result

  let url: RTMPURL
  let check: ServerCheck

  private static let uploadTime = MediaTime.seconds(2)

  func run(_ report: (ServerCheck.Result) -> Void) {
    let authorization: RTMPAuthorization?
    do throws(SinkError) {
      authorization = try RTMPConversation.authorized { authorization throws(SinkError) in
        try publish(authorization) { if authorization == nil || $0.step == .publish { report($0) } }
      }
    } catch {
      return report(Result(ServerCheck.step(of: error.kind), .failed, error.what))
    }
    do throws(SinkError) {
      try measureUpload(authorization, report)
    } catch {
      report(Result(.upload, .skipped, "not measured: \(error.what)"))
    }
  }

  /// Requests a publish without media. Nil if accepted; otherwise the authorization for a new connection.
  private func publish(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPAuthorization? {
    let conversation = try open(authorization, .publish, report)
    defer { conversation.finish(until: .now + .milliseconds(500)) }
    let began = MonotonicTime.now
    var isConnected = false
    var pingSentAt: MonotonicTime?
    while true {
      let refusal = "the server disconnects when asked to publish: it refuses us, or the name is taken"
      let events = try conversation.exchange(
        until: .now + .milliseconds(100), refusal: isConnected ? refusal : nil)
      for event in events {
        switch event {
        case .connected:
          isConnected = true
          report(Result(.handshake, .passed, "the application exists", took: .now - began))
        case .accepted:
          report(Result(.publish, .passed, "accepted, without going on air", took: .now - began))
          conversation.client.ping(1)
          pingSentAt = .now
        case .pong:
          guard let pingSentAt else { continue }
          report(Result(.roundTrip, .passed, "answered by the server process", took: .now - pingSentAt))
          return nil
        case .authorizationRequested(let authorization): return authorization
        case .refused(let refusal): throw SinkError(refusal, url)
        case .ended: throw SinkError(.closed, "the server ended the connection")
        case .ready, .status, .acknowledged, .reconnectRequested: break
        }
      }
      if let pingSentAt, .now - pingSentAt > .seconds(1) {
        if let roundTrip = conversation.roundTrip {
          report(Result(.roundTrip, .passed, "as measured by the operating system", took: roundTrip))
        }
        return nil
      }
      if .now - began > check.timeout { throw SinkError(.timedOut, "no answer to the publish request") }
      if check.stop.isSignalled { throw SinkError(.stopped, "stopped") }
    }
  }

  private func open(
    _ authorization: RTMPAuthorization?, _ extent: RTMPClient.Extent, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPConversation {
    try RTMPConversation(
      url, .live, authorization: authorization, extent: extent, tls: check.tls,
      until: .now + check.timeout, stop: check.stop
    ) { step in
      switch step {
      case .resolved(let count, let after):
        report(Result(.name, .passed, count == 1 ? "1 address" : "\(count) addresses", took: after))
      case .connected(let address, let after): report(Result(.connection, .passed, address, took: after))
      case .secured(let version, let cipher, let after):
        report(Result(.tls, .passed, "\(version), \(cipher)", took: after))
      }
    }
  }

  /// Sends padding for two seconds over a connection that does not publish.
  private func measureUpload(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) {
    let conversation = try open(authorization, .connection) { _ in }
    defer { conversation.finish(until: .now + .milliseconds(500)) }
    let deadline = MonotonicTime.now + check.timeout
    var isConnected = false
    while !isConnected, .now < deadline, !check.stop.isSignalled {
      for event in try conversation.exchange(until: .now + .milliseconds(100)) {
        if event == .connected { isConnected = true }
        if case .refused(let refusal) = event { throw SinkError(refusal, url) }
      }
    }
    guard isConnected else { throw SinkError(.timedOut, "the application did not answer") }
    let padding = Array(repeating: UInt8(0), count: 4096)
    let began = MonotonicTime.now
    let before = conversation.bytesTaken
    while .now - began < Self.uploadTime, !check.stop.isSignalled {
      while conversation.client.outgoing.count < 256 << 10 { conversation.client.sendPadding(padding[...]) }
      _ = try conversation.exchange(until: .now + .milliseconds(20))
    }
    let rate = Double(conversation.bytesTaken - before) * 8 / (MonotonicTime.now - began).seconds
    report(Result(.upload, .passed, "accepted by the network", bitsPerSecond: rate))
  }
}
