internal import HoldfastMediaModel

extension RTSPClient {
  /// A response has come.
  mutating func take(
    _ message: RTSPMessage, _ status: Int, _ reason: String, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    guard status >= 200, let request = outstanding.take(message.sequence), stage != .over else { return [] }
    if session == nil { session = message.headers["Session"].flatMap { RTSPSession($0) } }
    if (200...299).contains(status) {
      isAuthorizationProven = isAuthorizationProven || request.wasAuthorized
      return try granted(request, message, at: now)
    }
    let refusal = RTSPRefusal(method: request.method.rawValue, status: status, reason: reason)
    if status == 401, try isTriedAgain(request, message, at: now) {
      return request.purpose == .probe ? [.answered(after: now - request.sentAt)] : []
    }
    if [301, 302, 303, 305, 307, 308].contains(status), let location = message.headers["Location"] {
      stage = .over
      return [.redirected(location: location)]
    }
    return try refused(request, refusal, at: now)
  }

  private mutating func granted(
    _ request: OutgoingRequest, _ message: RTSPMessage, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    switch request.purpose {
    case .ask:
      learnMethods(message)
      try goOn(at: now) { client throws(RTSPError) in try client.announce(at: now) }
      return []
    case .announce:
      if let given = message.headers["Content-Base"], given.contains("://"), !given.contains(" ") {
        base = given
      }
      try goOn(at: now) { client throws(RTSPError) in try client.setUpNextTrack(at: now) }
      return []
    case .setUp(let track):
      guard session != nil else { throw RTSPError(.unexpected, "the server has begun no session") }
      let path = try RTSPTrackPath(answer: message.headers["Transport"], to: transport, track: track)
      guard paths.allSatisfy({ !$0.overlaps(path) }) else {
        throw RTSPError(.unexpected, "two tracks on one channel")
      }
      paths.append(path)
      try goOn(at: now) { client throws(RTSPError) in try client.setUpNextTrack(at: now) }
      return []
    case .record: return move(from: .opening, to: .recording, .accepted)
    case .pause: return move(from: .pausing, to: .paused, .paused)
    case .recordAgain: return move(from: .resuming, to: .recording, .resumed)
    case .probe: return [.answered(after: now - request.sentAt)]
    case .tearDown: return move(from: .leaving, to: .over, .left)
    }
  }

  private mutating func refused(
    _ request: OutgoingRequest, _ refusal: RTSPRefusal, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    switch request.purpose {
    case .ask where refusal.kind != .credentials:
      // Whether it may be published is the next answer's to say.
      try goOn(at: now) { client throws(RTSPError) in try client.announce(at: now) }
      return []
    case .setUp where refusal.kind == .transport && paths.isEmpty:
      return move(from: .opening, to: .choosingTransport, .transportRefused(refusal))
    case .pause where refusal.kind != .sessionLost:
      return move(from: .pausing, to: .recording, .pauseRefused(refusal))
    case .probe where refusal.kind != .sessionLost:
      // It answers, which is what was asked for. The other method is the one that every server has to know.
      probeMethod = .options
      return [.answered(after: now - request.sentAt)]
    case .tearDown: return move(from: .leaving, to: .over, .left)
    case .ask, .announce, .setUp, .record, .pause, .recordAgain, .probe:
      stage = .over
      return [.refused(refusal)]
    }
  }

  /// Takes the next step towards the recording, unless somebody has decided to leave.
  private mutating func goOn(
    at now: MonotonicTime, _ step: (inout RTSPClient) throws(RTSPError) -> Void
  ) throws(RTSPError) {
    if stage == .opening { try step(&self) }
  }

  private mutating func move(from expected: Stage, to next: Stage, _ event: Event) -> [Event] {
    guard stage == expected else { return [] }
    stage = next
    return [event]
  }

  private mutating func learnMethods(_ message: RTSPMessage) {
    for header in message.headers.all("Public") {
      for name in header.split(separator: ",") { serverMethods.insert(name.trimmed.uppercased()) }
    }
    if serverMethods.contains(RTSPMethod.getParameter.rawValue) { probeMethod = .getParameter }
  }

  /// Shows credentials, where we have some that this server has not refused yet.
  private mutating func isTriedAgain(
    _ request: OutgoingRequest, _ message: RTSPMessage, at now: MonotonicTime
  ) throws(RTSPError) -> Bool {
    guard let user = settings.url.user, request.attempts < settings.limits.authenticationAttempts,
      let challenge = Challenge.best(of: message.headers.all("WWW-Authenticate"))
    else { return false }
    let isNew = !request.wasAuthorized || challenge.isStale
    // Some servers tire of a nonce without saying so.
    guard isNew || (isAuthorizationProven && authorization?.challenge != challenge) else { return false }
    authorization = Authorization(
      challenge, user: user, password: settings.url.password ?? "", clientNonce: settings.clientNonce)
    if request.purpose != .probe { try send(request, at: now) }
    return true
  }
}

extension Challenge {
  fileprivate var isStale: Bool {
    switch scheme {
    case .basic: false
    case .digest(let digest): digest.isStale
    }
  }
}

extension RTSPTrackPath {
  fileprivate func overlaps(_ other: RTSPTrackPath) -> Bool {
    switch (self, other) {
    case (.interleaved(let a, let b), .interleaved(let c, let d)): a == c || a == d || b == c || b == d
    // Some servers have the same ports for all, and tell tracks apart by where they come from.
    case (.datagrams, _), (_, .datagrams): false
    }
  }
}
