package import HoldfastMediaModel

/// A value that one thread supplies and another awaits.
package final class Promise<Value: Sendable>: Sendable {
  private let value = BoundedQueue<Value>(capacity: 1)

  package init() {}

  /// Ignores every value but the first.
  package func fulfil(_ value: Value) {
    _ = self.value.offer(value)
    self.value.close()
  }

  /// Waits for the value; nil after `deadline`, or when it was already taken.
  package func take(until deadline: MonotonicTime? = nil) -> Value? { value.take(until: deadline) }
}
