import HoldfastPlatform

/// How many other members of the session are ready, for gates that wait for them.
package final class OthersReady: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiting: [Int: AsyncStream<Int>.Continuation] = [:]
    var asked = 0
  }

  private let state = Locked(State())

  package init() {}

  func set(_ count: Int) {
    let waiting = state.withLock { state in
      state.count = count
      return state.waiting.values
    }
    for continuation in waiting { continuation.yield(count) }
  }

  /// Begins with the present number.
  @Sendable package func changes() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let (number, count) = state.withLock { state in
      state.asked += 1
      state.waiting[state.asked] = continuation
      return (state.asked, state.count)
    }
    continuation.onTermination = { [state] _ in _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    }
    continuation.yield(count)
    return stream
  }
}
