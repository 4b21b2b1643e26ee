import HoldfastCapture
import HoldfastPlatform

/// Which source delivered an item.
struct ItemSource: Hashable, Sendable {
  var isStandIn = false
  /// Increases with each source of the feed.
  var number = 0
}

/// The receiver of a feed's items. Called on the feed's thread.
struct FeedReceiver<Item: ~Copyable>: Sendable {
  let take: @Sendable (consuming Item, ItemSource) -> Void
  /// Waits until a file may start; false if it never will. Not called for devices.
  let isReady: @Sendable (Wakeup) -> Bool
  /// A source that is not a device has ended or failed.
  let end: @Sendable (CaptureError?) -> Void
}
