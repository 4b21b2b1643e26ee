/// Whether a session is locked: what was last asked of it, until its `LockedHint` changes.
///
/// | known | then | locked |
/// |---|---|---|
/// | nothing | `Lock`, then the hint for the first time | yes, whatever the hint says: the screen locker may set it later, or never |
/// | hint off, `Lock` | hint off again, in a late answer or a repeated one | yes |
/// | hint on, `Unlock` | hint on again | no |
/// | any request | the hint changes | as the hint says |
struct SessionLock: Hashable, Sendable {
  private var requested: Bool?
  private var hint: Bool?

  var isLocked: Bool { requested ?? hint ?? false }

  /// logind's `Lock` or `Unlock`, a request to the screen locker.
  mutating func request(_ isLocked: Bool) { requested = isLocked }

  mutating func update(hint new: Bool) {
    if let hint, hint != new { requested = nil }
    hint = new
  }
}
