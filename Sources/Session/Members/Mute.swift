package import HoldfastMediaModel

extension Session {
  /// What of a member is silenced or blackened, by whom. Muted is what either says.
  package struct Mute: Hashable, Sendable {
    /// Only the member writes it.
    package var bySelf: Set<TrackKind> = []
    /// The host and managers write it.
    package var byOthers: Set<TrackKind> = []
    /// What the member is asked to lift of its own.
    package var asked: Set<TrackKind> = []

    package init() {}

    package var muted: Set<TrackKind> { bySelf.union(byOthers) }
  }
}
