package import HoldfastMediaModel

/// Since when a hub has been in touch with its store without a break: only who has heard everybody may say that
/// somebody is silent.
package struct StoreContact: Hashable, Sendable {
  private struct Heard: Hashable, Sendable {
    let store: WallTime
    let own: MonotonicTime
  }

  /// By the store's clock; nil while there is no contact.
  package private(set) var since: WallTime?
  private var last: Heard?

  /// The longest time between two answers: a hub that stood still for longer does not know whether the store was away meanwhile.
  package static let longestSilence = MediaTime.seconds(2)
  /// How far the store's clock may move apart from the hub's own between two answers.
  static let tolerance = MediaTime.seconds(1)

  package init() {}

  /// Returns since when there has been no break.
  @discardableResult
  package mutating func heard(_ store: WallTime, at own: MonotonicTime) -> WallTime {
    if let last {
      let (passed, shown) = (own - last.own, store - last.store)
      let difference = MediaTime(nanoseconds: Int64(clamping: (shown - passed).nanoseconds.magnitude))
      if passed > Self.longestSilence || difference > Self.tolerance { since = nil }
    }
    last = Heard(store: store, own: own)
    let since = since ?? store
    self.since = since
    return since
  }

  package mutating func lost() {
    since = nil
    last = nil
  }
}
