/// What goes on air as a track, and how.
public struct TrackStatus: Hashable, Sendable {
  public enum Device: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, closed
  }

  /// As `--video` or `--audio` takes it.
  public var source: String
  public var isMuted: Bool
  public var device: Device
}
