import HoldfastPlatform

/// How many other members of the session are ready, for gates that wait for them.
package final class OthersReady: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiting: [AsyncStream<Int>.Continuation] = []
  }

  private let state = Locked(State())

  package init() {}

  func set(_ count: Int) {
    let waiting = state.withLock { state in
      state.count = count
      return state.waiting
    }
    for continuation in waiting { continuation.yield(count) }
  }

  /// Begins with the present number.
  @Sendable package func changes() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let count = state.withLock { state in
      state.waiting.append(continuation)
      return state.count
    }
    continuation.yield(count)
    return stream
  }
}
