package import HoldfastMediaModel

/// The state of a broadcaster's sources: which tracks they have, and which of these are lost.
struct SourceState {
  private var tracks: OpenTracks?
  private var lostTracks: Set<TrackKind> = []
  /// Tracks that the last attempts have failed to open.
  private var unopened: Set<TrackKind> = []
  private var pendingRequests = 0

  var haveBeenOpened: Bool { tracks != nil }
  var areChanging: Bool { pendingRequests > 0 }
  /// Nothing can be broadcast without the lost tracks.
  var areInterrupted: Bool { tracks?.isInterrupted(without: lostTracks) ?? false }

  /// A request to open or close the sources has been sent.
  mutating func requested() { pendingRequests += 1 }

  mutating func opened(_ tracks: OpenTracks) {
    pendingRequests -= 1
    self.tracks = tracks
    unopened = []
  }

  /// False if the attempt before has failed for the same track.
  mutating func failedToOpen(_ track: TrackKind) -> Bool {
    pendingRequests -= 1
    return unopened.insert(track).inserted
  }

  mutating func closed() {
    pendingRequests -= 1
    lostTracks = []
  }

  mutating func lost(_ track: TrackKind) { lostTracks.insert(track) }

  mutating func returned(_ track: TrackKind) { lostTracks.remove(track) }
}

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
