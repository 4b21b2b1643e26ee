/// What goes on air as a track, and how.
package struct TrackStatus: Hashable, Sendable {
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, closed
  }

  /// As `--video` or `--audio` takes it.
  package var source: String
  package var isMuted: Bool
  package var device: Device
}
