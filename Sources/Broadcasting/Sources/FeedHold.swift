internal import HoldfastCapture
internal import HoldfastPlatform

/// A lane's hold on its feed. Another lane may hold the feed by the time that this one lets go: that one keeps it.
final class FeedHold<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  private struct State {
    var number: Int?
    var isReleased = false
  }

  private let feed: Feed<Taken, Shape>
  private let state = Locked(State())

  init(_ feed: Feed<Taken, Shape>) {
    self.feed = feed
  }

  /// What the source gives that there is now.
  var shape: Shape? { feed.shape }

  func attach(_ receiver: FeedReceiver<Taken>) throws(CaptureError) {
    let number = try feed.attach(receiver)
    let isReleased = state.withLock { state in
      state.number = number
      return state.isReleased
    }
    if isReleased { feed.detach(number) }
  }

  /// Nothing more comes, but for what is on its way.
  func release() {
    let number = state.withLock { state in
      state.isReleased = true
      return state.number
    }
    if let number { feed.detach(number) }
  }

  /// Waits until a source that is no device has ended, after `release`.
  func settle() {
    if let number = state.withLock({ $0.number }) { feed.settle(number) }
  }
}
