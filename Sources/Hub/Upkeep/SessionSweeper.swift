package import HoldfastMediaModel
import HoldfastSession
package import HoldfastStores

/// Does what is due in all sessions.
package struct SessionSweeper: Sendable {
  private var contact = StoreContact()

  package init() {}

  /// The time between two sweeps, for a `share` of 0 to 1: drawn anew by each hub, so that they seldom do the same at once.
  package static func pause(_ share: Double) -> MediaTime { .milliseconds(150 + Int64(200 * share)) }

  /// What may have been a beat was not heard: nobody expires as if everybody had been.
  package mutating func missedSomebody() { contact.lost() }

  /// `now` is read once the store has answered, as its clock is.
  package mutating func sweep(
    _ store: inout some Store, at now: @autoclosure () -> MonotonicTime
  ) throws(StoreError) {
    do throws(StoreError) {
      contact.heard(try store.load(.clock, asking: nil).now, at: now())
      for name in try store.due(within: .zero) {
        do throws(StoreError) {
          _ = try store.advance(name) { contact.heard($0, at: now()) }
        } catch .unreadable {
          // It stays as it is; the others are not to wait for it.
        }
      }
    } catch {
      contact.lost()
      throw error
    }
  }
}
