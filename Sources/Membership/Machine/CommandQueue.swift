import HoldfastMediaModel
import HoldfastSession

/// What was asked for on the box and the hub has not answered, in order.
struct CommandQueue: Hashable {
  struct Entry: Hashable {
    let id: String
    let order: MembershipMachine.Order
    /// The hub may have carried it out already.
    var isSent = false
  }

  private(set) var entries: [Entry] = []

  var first: Entry? { entries.first }

  /// Returns what the new order makes needless.
  mutating func add(_ order: MembershipMachine.Order, id: String) -> [Entry] {
    let needless = entries.filter { !$0.isSent && order.replaces($0.order) }
    entries.removeAll { needless.contains($0) }
    entries.append(Entry(id: id, order: order))
    return needless
  }

  mutating func markFirstSent() {
    if !entries.isEmpty { entries[0].isSent = true }
  }

  mutating func removeFirst() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

  /// Takes back an answer that the hub has not been given.
  mutating func removeUnsentAnswers() -> [Entry] {
    let taken = entries.filter { if case .answer = $0.order { !$0.isSent } else { false } }
    entries.removeAll { taken.contains($0) }
    return taken
  }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  func contains(where matches: (MembershipMachine.Order) -> Bool) -> Bool {
    entries.contains { matches($0.order) }
  }
}

extension MembershipMachine.Order {
  func replaces(_ earlier: Self) -> Bool {
    switch (self, earlier) {
    case (.mute(let new), .mute(let old)), (.mute(let new), .unmute(let old)),
      (.unmute(let new), .mute(let old)), (.unmute(let new), .unmute(let old)):
      old.isSubset(of: new)
    case (.answer, .answer), (.rename, .rename), (.share, .share), (.ready, .ready): true
    case (.mute, _), (.unmute, _), (.answer, _), (.rename, _), (.share, _), (.ready, _): false
    }
  }

  var command: Session.Command {
    switch self {
    case .mute(let tracks): .mute(nil, tracks)
    case .unmute(let tracks): .unmute(nil, tracks)
    case .answer(let agrees): .answer(agrees)
    case .rename(let name): .rename(nil, name)
    case .share(true): .share
    case .share(false): .unshare
    case .ready: .ready
    }
  }
}
