import Glibc

/// A value behind a lock; call no foreign code while holding it. Uses a pthread mutex, as ThreadSanitizer
/// reports false races with `Synchronization.Mutex`.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {  // guarded by `lock`
  @usableFromInline let lock = Lock()
  @usableFromInline var value: Value

  package init(_ value: consuming sending Value) { self.value = value }

  /// Inlined, as each packet passes several locks, and the generic function looks its types up every time.
  @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// A pthread mutex at a fixed address.
@usableFromInline final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @usableFromInline func lock() { pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
