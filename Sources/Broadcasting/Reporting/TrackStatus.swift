package struct TrackStatus: Hashable, Sendable {
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, closed
  }

  /// In the syntax of `--video` and `--audio`.
  package var source: String
  package var isMuted: Bool
  package var device: Device
}

extension TrackStatus.Device {
  /// Nil for one that has not been open.
  package init(_ state: BroadcastEvent.DeviceState?) {
    self =
      switch state {
      case .open, .back: .open
      case .lost: .lost
      case .busy: .busy
      case nil: .closed
      }
  }
}
