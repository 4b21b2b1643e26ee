internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRTMP

/// Tries an RTMP server: each part of the way to a publish by itself, and on a second connection how fast bytes go.
struct RTMPCheck {
  private typealias Result = ServerCheck.Result

  let url: RTMPURL
  let check: ServerCheck

  private static let uploadTime = MediaTime.seconds(2)

  func run(_ report: (ServerCheck.Result) -> Void) {
    var authorization: RTMPAuthorization?
    do throws(SinkError) {
      var isDone = false
      for attempt in 0..<3 where !isDone {
        // What was told of the first connection is not told again.
        let wanted = try publish(authorization) {
          if attempt == 0 || $0.step == .publish { report($0) }
        }
        isDone = wanted == nil
        authorization = wanted ?? authorization
      }
      guard isDone else {
        throw SinkError(.refused, "the server asks for a name and password again and again")
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

  /// Asks to publish, without a packet. What the server wants to see of us at a new connection; nil where it is content.
  private func publish(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPAuthorization? {
    let conversation = try open(authorization, publishes: true, report)
    defer { conversation.close() }
    let began = MonotonicTime.now
    var isConnected = false
    var pingSentAt: MonotonicTime?
    while true {
      for event in try Self.turn(conversation, asksToPublish: isConnected) {
        switch event {
        case .connected:
          isConnected = true
          report(Result(.handshake, .passed, "the application is there", took: .now - began))
        case .accepted:
          report(Result(.publish, .passed, "accepted, without going on air", took: .now - began))
          conversation.client.ping(1)
          pingSentAt = .now
        case .pong:
          guard let pingSentAt else { continue }
          report(Result(.roundTrip, .passed, "answered by the server's program", took: .now - pingSentAt))
          return nil
        case .authorizationWanted(let wanted): return wanted
        case .refused(let refusal): throw SinkError(refusal, url)
        case .ended: throw SinkError(.closed, "the server ended the connection")
        case .status, .acknowledged, .reconnectRequested: break
        }
      }
      if let pingSentAt, .now - pingSentAt > .seconds(1) {
        if let roundTrip = conversation.roundTrip {
          report(Result(.roundTrip, .passed, "as the operating system measures it", took: roundTrip))
        }
        return nil
      }
      if .now - began > check.timeout { throw SinkError(.timedOut, "no answer to the publish") }
      if check.stop.isSignalled { throw SinkError(.stopped, "stopped") }
    }
  }

  /// Some servers say no by closing the connection.
  private static func turn(
    _ conversation: RTMPConversation, asksToPublish: Bool
  ) throws(SinkError) -> [RTMPClient.Event] {
    do throws(SinkError) {
      return try conversation.turn(until: .now + .milliseconds(100))
    } catch {
      guard asksToPublish, error.kind == .closed else { throw error }
      throw SinkError(
        .closedBeforeAccepted,
        "the server hangs up when asked to publish: it refuses us, or the name is taken")
    }
  }

  private func open(
    _ authorization: RTMPAuthorization?, publishes: Bool, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) -> RTMPConversation {
    var settings = RTMPClient.Settings(
      url: url, publishType: .live, codecs: [], digests: .system, random: randomBytes(1536))
    settings.authorization = authorization
    settings.publishes = publishes
    return try RTMPConversation(
      settings, tls: url.isSecure ? check.tls : nil, until: .now + check.timeout, stop: check.stop
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

  /// Sends bytes that mean nothing for two seconds, to an application that is connected but publishes nothing.
  private func measureUpload(
    _ authorization: RTMPAuthorization?, _ report: (ServerCheck.Result) -> Void
  ) throws(SinkError) {
    let conversation = try open(authorization, publishes: false) { _ in }
    defer { conversation.close() }
    let deadline = MonotonicTime.now + check.timeout
    var isConnected = false
    while !isConnected, .now < deadline, !check.stop.isSignalled {
      for event in try conversation.turn(until: .now + .milliseconds(100)) {
        if event == .connected { isConnected = true }
        if case .refused(let refusal) = event { throw SinkError(refusal, url) }
      }
    }
    guard isConnected else { throw SinkError(.timedOut, "the application did not answer") }
    let padding = Array(repeating: UInt8(0), count: 4096)
    let began = MonotonicTime.now
    let before = conversation.taken
    while .now - began < Self.uploadTime, !check.stop.isSignalled {
      while conversation.client.outgoing.count < 256 << 10 { conversation.client.sendPadding(padding[...]) }
      _ = try conversation.turn(until: .now + .milliseconds(20))
    }
    let rate = Double(conversation.taken - before) * 8 / (MonotonicTime.now - began).seconds
    report(Result(.upload, .passed, "taken by the network", bitsPerSecond: rate))
  }
}
