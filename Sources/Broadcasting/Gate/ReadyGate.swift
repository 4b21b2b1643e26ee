package import HoldfastLifecycle

/// A gate that people answer. Ready has to come from somebody else than the person who called the start.
struct ReadyGate {
  let isAwaited: Bool
  /// Who called the start, the foreground or the resumption; nil for a command line, a signal, or none.
  private(set) var startedBy: String?
  /// Given before the question, or while the other gates are still running.
  private(set) var answer: ReadyAnswer?

  /// Nobody answers their own start beforehand either.
  mutating func began(by person: String?) {
    startedBy = person
    if answer?.by == person { answer = nil }
  }

  /// Nil if the answer is taken. Before the question a later one replaces it, but nobody's refusal except one's own.
  mutating func take(_ new: ReadyAnswer, isAsked: Bool) -> ReadyResult? {
    if new.isReady, new.by == startedBy { return .isOwnStart }
    if let answer, isAsked || (new.isReady && !answer.isReady && answer.by != new.by) {
      return .isAnswered(by: answer.by)
    }
    answer = new
    return nil
  }

  mutating func discardAnswer() { answer = nil }

  /// The start is over.
  mutating func reset() { (startedBy, answer) = (nil, nil) }
}

/// One person's word about going live.
package struct ReadyAnswer: Hashable, Sendable {
  package let isReady: Bool
  package let reason: String?
  package let by: String

  package init(isReady: Bool, reason: String? = nil, by person: String) {
    (self.isReady, self.reason, by) = (isReady, reason, person)
  }
}

package enum ReadyResult: Hashable, Sendable {
  /// It counts now, or once the gate is asked.
  case accepted
  /// No gate that awaits it is being asked or ahead.
  case isNotAwaited(Lifecycle.State)
  case isAnswered(by: String)
  /// The same person called the start.
  case isOwnStart
}

package struct NotReady: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String?
  package let by: String
  package var description: String { reason ?? "\(by) said that it is not ready" }
}
