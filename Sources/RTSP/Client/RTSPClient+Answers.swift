import HoldfastMediaModel

extension RTSPClient {
  mutating func handleResponse(
    _ message: RTSPMessage, _ status: Int, _ reason: String, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    guard status >= 200, let request = outstanding.take(message.sequence), stage != .ended else { return [] }
    if session == nil { session = message.headers["Session"].flatMap(Self.sessionID) }
    serverName = serverName ?? message.headers["Server"]
    if (200...299).contains(status) {
      isAuthorizationAccepted = isAuthorizationAccepted || request.wasAuthorized
      return try succeeded(request, message, at: now)
    }
    let refusal = RTSPRefusal(
      method: request.method.rawValue, status: status, reason: reason,
      withholdsPassword: withholdsPassword(from: message))
    if status == 401, try retriesWithCredentials(request, message, at: now) {
      return request.purpose == .probe ? [.answered(after: now - request.sentAt)] : []
    }
    if [301, 302, 303, 305, 307, 308].contains(status), let location = message.headers["Location"] {
      stage = .ended
      return [.redirected(location: location)]
    }
    return try failed(request, refusal, at: now)
  }

  /// The session's name, from `12345678;timeout=60`.
  private static func sessionID(_ header: String) -> String? {
    let id = header.split(separator: ";").first?.trimmed ?? ""
    return id.isEmpty || id.utf8.count > 256 ? nil : id
  }

  private mutating func succeeded(
    _ request: OutgoingRequest, _ message: RTSPMessage, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    // The next step follows unless the session is being torn down.
    switch request.purpose {
    case .options:
      learnMethods(message)
      try leaveOptions(at: now)
      return []
    case .announce:
      if let given = message.headers["Content-Base"], given.contains("://"), !given.contains(" ") {
        base = given
      }
      if stage == .opening { try setUpNextTrack(at: now) }
      return []
    case .setUp(let track):
      guard session != nil else { throw RTSPError(.unexpected, "the server has not started a session") }
      let path = try RTSPTrackPath(answer: message.headers["Transport"], to: transport, track: track)
      guard paths.allSatisfy({ !$0.overlaps(path) }) else {
        throw RTSPError(.unexpected, "two tracks on one channel")
      }
      paths.append(path)
      if stage == .opening { try setUpNextTrack(at: now) }
      return []
    case .record: return move(from: .opening, to: .recording, .accepted)
    case .pause: return move(from: .pausing, to: .paused, .paused)
    case .resume: return move(from: .resuming, to: .recording, .resumed)
    case .probe: return [.answered(after: now - request.sentAt)]
    case .tearDown: return move(from: .tearingDown, to: .ended, .tornDown)
    }
  }

  private mutating func failed(
    _ request: OutgoingRequest, _ refusal: RTSPRefusal, at now: MonotonicTime
  ) throws(RTSPError) -> [Event] {
    switch request.purpose {
    case .options where !refusal.isAboutCredentials:
      // The answer to ANNOUNCE decides.
      try leaveOptions(at: now)
      return []
    case .setUp where refusal.kind == .transport && paths.isEmpty:
      return move(from: .opening, to: .choosingTransport, .transportRefused(refusal))
    case .pause where refusal.kind != .sessionLost:
      return move(from: .pausing, to: .recording, .pauseRefused(refusal))
    case .probe where refusal.kind != .sessionLost:
      // Any answer is a sign of life. Every server has to know OPTIONS.
      probeMethod = .options
      return [.answered(after: now - request.sentAt)]
    case .tearDown: return move(from: .tearingDown, to: .ended, .tornDown)
    case .options, .announce, .setUp, .record, .pause, .resume, .probe:
      stage = .ended
      return [.refused(refusal)]
    }
  }

  private mutating func leaveOptions(at now: MonotonicTime) throws(RTSPError) {
    guard stage == .opening else { return }
    if settings.isHeld { stage = .held } else { try announce(at: now) }
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

  /// Repeats the request with credentials that the server has not refused yet.
  private mutating func retriesWithCredentials(
    _ request: OutgoingRequest, _ message: RTSPMessage, at now: MonotonicTime
  ) throws(RTSPError) -> Bool {
    guard let user = settings.url.user, request.attempts < settings.limits.authenticationAttempts,
      !withholdsPassword(from: message),
      let challenge = Challenge.best(of: message.headers.all("WWW-Authenticate"))
    else { return false }
    let isNew = !request.wasAuthorized || challenge.isStale
    // Some servers replace a nonce without marking it stale.
    guard isNew || (isAuthorizationAccepted && authorization?.challenge != challenge) else { return false }
    authorization = Authorization(
      challenge: challenge, user: user, password: settings.url.password ?? "",
      clientNonce: settings.clientNonce)
    if request.purpose != .probe { try send(request, at: now) }
    return true
  }

  /// The server asks for nothing better than the password itself, which may not be sent.
  private func withholdsPassword(from message: RTSPMessage) -> Bool {
    guard settings.url.user != nil, !settings.sendsBasic else { return false }
    return Challenge.best(of: message.headers.all("WWW-Authenticate"))?.scheme == .basic
  }
}

// MARK: - The server's requests

extension RTSPClient {
  mutating func handleRequest(_ method: String, _ message: RTSPMessage) throws(RTSPError) -> [Event] {
    var headers = RTSPHeaders()
    var status = (200, "OK")
    var events: [Event] = []
    if let number = message.sequence { headers.add("CSeq", String(number)) }
    switch method {
    case "OPTIONS": headers.add("Public", "OPTIONS, GET_PARAMETER, REDIRECT, TEARDOWN")
    case "GET_PARAMETER": break
    case "REDIRECT":
      events = [.redirected(location: message.headers["Location"])]
    case "TEARDOWN":
      events = [.ended]
    default: status = (501, "Not Implemented")
    }
    let before = outgoing.added
    RTSPMessage(.response(status: status.0, reason: status.1), headers: headers).write(to: &outgoing)
    answers.add(since: before, in: outgoing)
    guard !answers.isOverLimit else {
      throw RTSPError(.tooLarge, "the server sends requests faster than it reads answers")
    }
    guard stage != .ended else { return [] }
    if !events.isEmpty { stage = .ended }
    return events
  }
}

extension Challenge {
  fileprivate var isStale: Bool {
    if case .digest(let digest) = scheme { digest.isStale } else { false }
  }
}

extension RTSPTrackPath {
  fileprivate func overlaps(_ other: RTSPTrackPath) -> Bool {
    switch (self, other) {
    case (.interleaved(let a, let b), .interleaved(let c, let d)): a == c || a == d || b == c || b == d
    // Some servers use the same ports for all tracks and distinguish their sources.
    case (.datagrams, _), (_, .datagrams): false
    }
  }
}
