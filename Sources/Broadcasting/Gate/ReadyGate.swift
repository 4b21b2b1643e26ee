import HoldfastPlatform

/// A gate answered over the control API.
package final class ReadyGate: GoLiveGate {
  package struct NotReady: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String?
    package var description: String { reason ?? "somebody said that it is not ready" }
  }

  private struct State: Sendable {
    var asked = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Locked(State())

  package init() {}

  package func authorize(_ broadcast: BroadcastInfo) async throws {
    let number = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        state.withLock { $0.waiting[number] = done }
        // The task may have been cancelled before the continuation was stored.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
  }

  package var isAsked: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Answers all waiting broadcasts; false if there are none.
  package func answer(isReady: Bool, reason: String? = nil) -> Bool {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for one in waiting {
      one.resume(with: isReady ? .success(()) : .failure(NotReady(reason: reason)))
    }
    return !waiting.isEmpty
  }
}
