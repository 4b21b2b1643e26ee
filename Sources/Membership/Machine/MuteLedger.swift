import HoldfastMediaModel
import HoldfastSession

/// What is muted, by whom: what the hub has said last, what was asked for on the box since, and what the member lifted
/// while no hub was there.
struct MuteLedger: Hashable {
  /// As the hub knows it.
  var bySelf: Set<TrackKind> = []
  var byOthers: Set<TrackKind> = []
  /// Of `byOthers`.
  private(set) var lifted: Set<TrackKind> = []
  var asked: Set<TrackKind> = []

  /// The member's own mutes as they are when everything asked for is done: they are in force at once.
  func own(with orders: CommandQueue) -> Set<TrackKind> {
    orders.entries.reduce(bySelf) { own, entry in apply(entry.order, to: own) }
  }

  func muted(with orders: CommandQueue) -> Set<TrackKind> {
    own(with: orders).union(byOthers.subtracting(lifted))
  }

  private func apply(_ order: MembershipMachine.Order, to own: Set<TrackKind>) -> Set<TrackKind> {
    switch order {
    case .mute(let tracks): own.union(tracks)
    case .unmute(let tracks): own.subtracting(tracks)
    case .answer(true): own.subtracting(asked)
    case .answer(false), .rename, .share, .ready: own
    }
  }

  /// The hub has carried the order out.
  mutating func confirm(_ order: MembershipMachine.Order) {
    bySelf = apply(order, to: bySelf)
    switch order {
    case .answer: asked = []
    // What was muted by others, too, is not lifted by a hub without them.
    case .unmute(let tracks): byOthers.subtract(tracks)
    case .mute, .rename, .share, .ready: break
    }
    asked.formIntersection(bySelf)
    lifted.formIntersection(byOthers)
  }

  mutating func lift(_ tracks: Set<TrackKind>) { lifted.formUnion(tracks.intersection(byOthers)) }

  /// A hub's word counts more than what was lifted without one.
  mutating func accept(_ mute: Session.Mute) {
    bySelf = mute.bySelf
    byOthers = mute.byOthers
    asked = mute.asked
    lifted = []
  }

  /// Out of the session nothing becomes audible or visible by itself, but everything is the member's to lift.
  mutating func goOnAlone(with orders: CommandQueue) { self = MuteLedger(bySelf: muted(with: orders)) }

  init(bySelf: Set<TrackKind> = []) { self.bySelf = bySelf }
}
