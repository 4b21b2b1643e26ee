/// Results that are worth keeping, up to a number of them: all are forgotten when there are more.
package final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Locked<[Key: Value]>([:])
  private let capacity: Int

  package init(capacity: Int) { self.capacity = capacity }

  /// The known value, or the one that is made now and kept.
  package func value<Failure: Error>(
    _ key: Key, else make: (Key) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let known = values.withLock({ $0[key] }) { return known }
    let new = try make(key)
    values.withLock { values in
      if values.count >= capacity { values.removeAll() }
      values[key] = new
    }
    return new
  }
}
