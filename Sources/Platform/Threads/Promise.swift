package import HoldfastMediaModel

/// One value that one thread waits for and another one gives.
package final class Promise<Value: Sendable>: Sendable {
  private let value = BoundedQueue<Value>(capacity: 1)

  package init() {}

  /// A second value is dropped.
  package func fulfil(_ value: Value) {
    _ = self.value.offer(value)
    self.value.close()
  }

  /// The value, which only the first caller gets; nil where it has not come by `deadline`.
  package func take(until deadline: MonotonicTime? = nil) -> Value? {
    value.take(until: deadline)
  }
}
