package struct TrackStatus: Hashable, Sendable {
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, closed
  }

  /// In the syntax of `--video` and `--audio`.
  package var source: String
  package var isMuted: Bool
  package var device: Device
}
