import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// A bounded queue between two threads; `offer` never blocks. Elements may be noncopyable.
package final class BoundedQueue<Element: ~Copyable & Sendable>: @unchecked Sendable {  // guarded by `mutex`
  private let capacity: Int
  /// Grows up to `capacity`, which few queues ever need: a ring touches all of its memory in time.
  private var slots: UnsafeMutablePointer<Element>
  private var size: Int
  private var first = 0
  private var count = 0
  private var isClosed = false
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    size = min(capacity, 16)
    slots = .allocate(capacity: size)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    cp_cond_init_monotonic(changed)
  }

  deinit {
    for index in 0..<count { (slots + (first + index) % size).deinitialize(count: 1) }
    slots.deallocate()
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// False, dropping the element, when the queue is closed or has at most `room` free slots.
  package func offer(_ element: consuming Element, leaving room: Int = 0) -> Bool {
    pthread_mutex_lock(mutex)
    guard !isClosed, count < capacity - room else {
      pthread_mutex_unlock(mutex)
      return false
    }
    if count == size { grow() }
    (slots + (first + count) % size).initialize(to: element)
    count += 1
    pthread_mutex_unlock(mutex)
    // Signalled without the lock, for which the woken thread would have to wait.
    pthread_cond_signal(changed)
    return true
  }

  /// Waits for the oldest element; nil after `deadline`, or when the queue is closed and empty.
  package func take(until deadline: MonotonicTime? = nil) -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while count == 0 {
      if isClosed { return nil }
      guard let deadline else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      // A wait would enter the kernel even so.
      if deadline <= .now { return nil }
      var time = timespec(nanoseconds: deadline.nanoseconds)
      if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT, count == 0 { return nil }
    }
    let element = (slots + first).move()
    first = (first + 1) % size
    count -= 1
    return element
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: min(capacity, 2 * size))
    for index in 0..<count { (larger + index).initialize(to: (slots + (first + index) % size).move()) }
    slots.deallocate()
    (slots, size, first) = (larger, min(capacity, 2 * size), 0)
  }

  /// Refuses further elements; queued ones can still be taken.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
