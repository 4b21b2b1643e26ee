import HoldfastPlatform

/// Distributes events to all listeners.
final class EventStreams<Event: Sendable>: Sendable {
  /// The listeners; nil once the events have ended.
  private let open = Locked<[AsyncStream<Event>.Continuation]?>([])

  func new() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(1000))
    let isOpen = open.withLock { open in
      open?.append(continuation)
      return open != nil
    }
    if !isOpen { continuation.finish() }
    return stream
  }

  /// False if a listener has lost an older event.
  func yield(_ event: Event) -> Bool {
    open.withLock { open in
      var isComplete = true
      open?.removeAll { listener in
        let result = listener.yield(event)
        if case .dropped = result { isComplete = false }
        return if case .terminated = result { true } else { false }
      }
      return isComplete
    }
  }

  func finish() {
    let listeners = open.withLock { open in
      defer { open = nil }
      return open ?? []
    }
    for listener in listeners { listener.finish() }
  }
}
