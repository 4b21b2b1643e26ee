import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// Checks an RTMP server: each step of a publish, which carries media only to measure the upload rate.
struct RTMPCheck {
  private typealias Result = ServerCheck.Result

  let url: RTMPURL
  let check: ServerCheck

  private static let uploadTime = MediaTime.seconds(2)

  func run(_ report: (ServerCheck.Result) -> Void) {
    do throws(SinkError) {
      try RTMPConversation.authorized { authorization throws(SinkError) in
        try publish(authorization) { result in
          let isRepeated = authorization != nil && [.name, .connection, .tls].contains(result.step)
          if !isRepeated { report(result) }
        }
      }
    } catch {
      report(Result(error))
    }
  }

  /// Publishes for a moment. Nil if accepted; otherwise the authorization for a new connection.
  private func publish(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPAuthorization? {
    let conversation = try open(authorization, report)
    defer {
      let isPatient = check.measuresUpload && !check.stop.isSignalled
      conversation.finish(until: .now + .milliseconds(isPatient ? 2000 : 500))
    }
    let began = MonotonicTime.now
    if let requested = try request(on: conversation, report) { return requested }
    let accepted = MonotonicTime.now
    let load = try check.measuresUpload ? UploadLoad(on: conversation, at: url) : nil
    conversation.client.ping(1)
    let refusal = "the server disconnects right after accepting the publish"
    let pong = try watch(conversation, load, until: accepted + ServerCheck.watchTime, refusal: refusal)
    let detail = load == nil ? "accepted, without going on air" : "accepted"
    let warning = SilentLoss.warning(ofServer: conversation.client.serverName, over: "rtmp")
    report(Result(.publish, detail, took: accepted - began, warning: warning))
    if let pong {
      report(Result(.roundTrip, "answered by the server process", took: pong - accepted))
    } else if let roundTrip = conversation.roundTrip {
      report(Result(.roundTrip, "as measured by the operating system", took: roundTrip))
    }
    guard let load else { return nil }
    do throws(SinkError) {
      _ = try watch(conversation, load, until: accepted + Self.uploadTime)
      report(Result(.upload, "accepted by the network", bitsPerSecond: load.bitsPerSecond))
    } catch {
      report(Result(.upload, "the publish broke off: \(error.what)", .failed))
    }
    return nil
  }

  private func open(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPConversation {
    try RTMPConversation(
      url, .live, authorization: authorization, tls: check.tls, until: .now + check.timeout, stop: check.stop
    ) { step in
      switch step {
      case .resolved(let count, let after):
        report(Result(.name, count == 1 ? "1 address" : "\(count) addresses", took: after))
      case .connected(let address, let after): report(Result(.connection, address, took: after))
      case .secured(let version, let cipher, let after):
        report(Result(.tls, "\(version), \(cipher)", took: after))
      }
    }
  }

  /// Nil once the publish is accepted; otherwise the authorization for a new connection.
  private func request(
    on conversation: RTMPConversation, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPAuthorization? {
    let began = MonotonicTime.now
    var refusal: String?
    var isAccepted = false
    while !isAccepted {
      for event in try conversation.exchange(until: .now + .milliseconds(100), refusal: refusal) {
        switch event {
        case .connected:
          refusal = "the server disconnects when asked to publish"
          report(Result(.handshake, "the application exists", took: .now - began))
        case .accepted: isAccepted = true
        case .authorizationRequested(let authorization): return authorization
        case .refused(let refusal): throw SinkError(refusal, url)
        case .ended: throw SinkError(.closed, "the server ended the connection")
        case .ready, .status, .acknowledged, .pong, .reconnectRequested: break
        }
      }
      if !isAccepted, .now - began > check.timeout {
        throw SinkError(.timedOut, "no answer to the publish request")
      }
      if check.stop.isSignalled { throw SinkError(.stopped, "stopped") }
    }
    return nil
  }

  /// Listens to the server, and returns when it answered the ping. `refusal` is the error text if the server
  /// disconnects.
  private func watch(
    _ conversation: RTMPConversation, _ load: UploadLoad?, until end: MonotonicTime, refusal: String? = nil
  ) throws(SinkError) -> MonotonicTime? {
    var pong: MonotonicTime?
    while .now < end {
      try load?.sendDue()
      for event in try conversation.exchange(until: min(end, .now + .milliseconds(20)), refusal: refusal) {
        switch event {
        case .pong: pong = .now
        case .refused(let refusal): throw SinkError(refusal, url)
        case .ended:
          throw SinkError(
            refusal == nil ? .closed : .closedBeforeAccepted, refusal ?? "the server ended the publish")
        case .connected, .ready, .accepted, .authorizationRequested, .status, .acknowledged,
          .reconnectRequested:
          break
        }
      }
      if check.stop.isSignalled { throw SinkError(.stopped, "stopped") }
    }
    return pong
  }
}
