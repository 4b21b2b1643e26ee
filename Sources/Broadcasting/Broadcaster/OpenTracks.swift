package import HoldfastMediaModel

/// The tracks of open sources.
package struct OpenTracks: Hashable, Sendable {
  package let all: Set<TrackKind>
  /// Tracks without a stand-in.
  package let essential: Set<TrackKind>

  package init(_ all: Set<TrackKind>, essential: Set<TrackKind> = []) {
    self.all = all
    self.essential = essential
  }

  /// True if nothing can be broadcast without the lost tracks.
  func isInterrupted(without lost: Set<TrackKind>) -> Bool {
    !lost.isEmpty && (lost == all || !lost.isDisjoint(with: essential))
  }
}
