package import HoldfastLifecycle

/// How many of the outputs a live broadcast reaches. The raw values are a stable interface.
package enum AirState: String, Hashable, Sendable, CaseIterable {
  case all, some, none
  /// Not live, or without network outputs.
  case off

  package init(isLive: Bool, _ outputs: [OutputLifecycle.Condition.State]) {
    let publishing = outputs.count { $0 == .publishing }
    self =
      switch publishing {
      case _ where !isLive || outputs.isEmpty: .off
      case 0: .none
      case outputs.count: .all
      default: .some
      }
  }
}
