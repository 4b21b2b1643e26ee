import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Which source delivered an item.
struct ItemSource: Hashable, Sendable {
  var isStandIn = false
  /// The cause of what a stand-in replaces, and of what the source lacks.
  var outageCause = Gap.Cause.device
  /// Increases with each source of the feed.
  var number = 0
}

/// The receiver of a feed's items. Called on the feed's thread.
struct FeedReceiver<Item: ~Copyable>: Sendable {
  let receive: @Sendable (consuming Item, ItemSource) -> Void
  /// Waits until a file may start; false if it never will. Not called for devices.
  var isReady: @Sendable (Wakeup) -> Bool = { _ in true }
  /// A source that is not a device has ended or failed.
  var end: @Sendable (CaptureError?) -> Void = { _ in }
}

/// Who receives a feed's items: the lane attached last, or else the watcher.
struct FeedReceivers<Item: ~Copyable>: Sendable {
  private var attached: (number: Int, receiver: FeedReceiver<Item>?)?
  private var lastNumber = 0
  private var lastDetached = 0
  var watcher: FeedReceiver<Item>?

  /// The receiver of the attached lane.
  var lane: FeedReceiver<Item>? { attached?.receiver }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Whether `number` attached last, even if it is detached by now.
  func isLast(_ number: Int) -> Bool { attached?.number == number }

  /// False if `number` is already detached.
  mutating func attach(_ receiver: FeedReceiver<Item>, as number: Int) -> Bool {
    guard number > lastDetached else { return false }
    attached = (number, receiver)
    return true
  }

  /// False if another number has replaced `number`.
  mutating func detach(_ number: Int) -> Bool {
    lastDetached = max(lastDetached, number)
    guard isLast(number) else { return false }
    attached?.receiver = nil
    return true
  }

  mutating func removeLane() { attached?.receiver = nil }
}
