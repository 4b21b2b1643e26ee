import HoldfastPlatform

/// Distributes events to all listeners.
final class EventStreams: Sendable {
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

  func yield(_ event: Event) {
    open.withLock { open in
      open?.removeAll { listener in
        if case .terminated = listener.yield(event) { true } else { false }
      }
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
