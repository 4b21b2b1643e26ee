package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// A store in this process's memory, whose clock runs: for tests and demos, as its sessions end with the process.
package struct SharedMemoryStore: ForwardingStore, Sendable {
  private struct Contents: Sendable {
    var store = MemoryStore()
    var at: MonotonicTime
  }

  private let contents: Locked<Contents>

  package init() { contents = Locked(Contents(at: .now)) }

  /// Goes on as a store that may have forgotten something.
  package func failOver() { with { $0.failOver(to: $0) } }

  /// Puts something else in the place of a stored session.
  package func replace(_ name: Session.Name, with stored: String) { with { $0.replace(name, with: stored) } }

  /// Lets time pass at once.
  package func pass(_ length: MediaTime) { with { $0.pass(length) } }

  package mutating func forward<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try with(verb)
  }

  private func with<Answer, Failure: Error>(
    _ verb: (inout MemoryStore) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try contents.withLock { contents throws(Failure) in
      let now = MonotonicTime.now
      contents.store.pass(now - contents.at)
      contents.at = now
      return try verb(&contents.store)
    }
  }
}
