package import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastPublishing

// What others ask of it over the control API. From any thread.

extension Broadcaster {
  /// They never take the room that the broadcast's own news need.
  static var roomForOthers: Int { 512 }
  /// What is not read by then is not done.
  private static var patience: MediaTime { .seconds(2) }
  /// What is read in time is answered after this time at the latest.
  private static var answering: MediaTime { .seconds(1) }

  /// What is refused is so at once, as the broadcaster may have ended; the broadcaster itself decides about the rest.
  package func perform(_ command: Lifecycle.Command) -> Lifecycle.CommandResult {
    let state = state
    if let refusal = state.refusal(of: command) { return .refused(refusal, state) }
    return answer { .command(command, until: $0, answer: $1) } ?? .timedOut
  }

  /// The session may last longer. The same `request` does nothing twice. Nil where nobody takes it in time.
  package func extend(by more: MediaTime, request: String) -> ExtensionAnswer? {
    answer { .extend(by: more, request: request, until: $0, answer: $1) }
  }

  private func answer<Answer: Sendable>(
    to make: (_ limit: MonotonicTime, @escaping @Sendable (Answer) -> Void) -> BroadcasterEvent
  ) -> Answer? {
    let answers = BoundedQueue<Answer>(capacity: 1)
    let limit = MonotonicTime.now + Self.patience
    let request = make(limit) { _ = answers.offer($0) }
    guard loop.post(request, leaving: Self.roomForOthers) else { return nil }
    return answers.take(until: limit + Self.answering)
  }

  /// Whoever waits for somebody else may go live now, or may not; false where nobody waits.
  package func answerGate(isReady: Bool, reason: String? = nil) -> Bool {
    readyGate.answer(isReady: isReady, reason: reason)
  }

  /// Tells the viewers something beside picture and sound. How many outputs take it that can.
  package func send(_ event: CustomEvent) -> Int {
    guard loop.post(.send(event), leaving: Self.roomForOthers) else { return 0 }
    return snapshot.outputs.count { $0.figures.condition.state == .publishing }
  }

  /// Has a line of its own.
  func say(_ event: BroadcastEvent) {
    loop.post(.changed(event), leaving: Self.roomForOthers)
  }
}
