import HoldfastSession

/// Whether the box shows its screen, and whether the session knows.
struct ScreenLedger: Hashable {
  /// At the source, as it was reported last.
  var isShown = false
  /// As the hub has said it last.
  var isShared = false
  /// What the source was asked for and has not answered.
  var requested: Bool?

  /// As the hub will have it once everything asked for on the box is done.
  func isShared(with orders: CommandQueue) -> Bool {
    orders.entries.reduce(isShared) { shared, entry in
      switch entry.order {
      case .share(let shares): shares
      case .mute, .unmute, .answer, .rename, .ready: shared
      }
    }
  }
}
