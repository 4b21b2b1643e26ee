internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

// MARK: - How long it may last

extension BroadcasterRun {
  /// The clock that threads wait by stands still while the machine sleeps, and the session's does not: it is looked at again
  /// after this time.
  private static let longestLook = MediaTime.milliseconds(100)

  /// When the session's time is to be looked at.
  var nextSessionLook: MonotonicTime? {
    let now = timeSinceBoot()
    return session.nextLook(after: now).map { .now + min(max(.zero, $0 - now), Self.longestLook) }
  }

  mutating func lookAtSession() {
    let now = timeSinceBoot()
    guard let look = session.nextLook(after: now), look <= now else { return }
    handle(.timePassed)
  }

  mutating func handle(_ event: SessionTimer.Event) {
    follow(session.handle(event, at: timeSinceBoot()))
  }

  mutating func extend(by more: MediaTime, request: String) -> ExtensionAnswer {
    let (verdict, actions) = session.extend(by: more, request: request, at: timeSinceBoot())
    follow(actions)
    return ExtensionAnswer(verdict: verdict, status: .now(session))
  }

  private mutating func follow(_ actions: [SessionTimer.Action]) {
    surroundings.showSession(session)
    for action in actions {
      switch action {
      case .tell(let news): say(.timer(news, .now(session)))
      case .keep: keepSession()
      case .end: handle(.sessionWasOver)
      }
    }
  }

  /// A start after a crash finds it in the broadcast's journal.
  private func keepSession() {
    guard let length = session.length, let startedAt = session.startedAt else { return }
    newestBroadcast?.journal?.session(
      JournaledSession(
        elapsed: timeSinceBoot() - startedAt, uncounted: session.uncounted, length: length,
        requests: session.requests))
  }
}

// MARK: - Whether it may go live

extension BroadcasterRun {
  mutating func askGate(_ number: Int) {
    guard let broadcast = newestBroadcast else { return }
    asked = number
    gateError = nil
    tellGate(.asked, on: broadcast)
    let configuration = broadcast.configuration
    surroundings.askGate(
      number,
      BroadcastInfo(
        id: broadcast.id, name: configuration.name, occasion: machine.state == .starting ? .start : .resume,
        outputs: configuration.outputSettings.map(\.id), recordingDirectory: configuration.recording.directory
      )
    )
  }

  mutating func withdrawGate() {
    asked = nil
    surroundings.withdrawGate()
  }

  mutating func gateAnswered(_ number: Int, _ error: GateError?) {
    guard asked == number else { return }
    asked = nil
    if let broadcast = newestBroadcast {
      tellGate(error == nil ? .passed : .refused, error?.underlying.map { "\($0)" }, on: broadcast)
    }
    gateError = error
    handle(error == nil ? .gatePassed(number) : .gateRefused(number))
  }

  /// Its time is over: the machine knows what that means.
  mutating func gateTimedOut() {
    if let broadcast = newestBroadcast { tellGate(.timedOut, on: broadcast) }
    gateError = GateError(.timedOut)
  }

  private func tellGate(
    _ verdict: BroadcastEvent.GateVerdict, _ reason: String? = nil, on broadcast: Broadcast
  ) {
    broadcast.journal?.gate(verdict, reason)
    surroundings.showGate(verdict, reason)
    say(.gate(verdict, reason: reason))
  }
}
