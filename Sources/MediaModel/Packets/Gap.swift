/// A stretch that is missing from the recording or from one output.
package struct Gap: Hashable, Sendable {
  /// Why something is missing. The raw values stand in event lines.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// Somebody asked for an interruption.
    case user
    /// The seat's session was locked, or not active.
    case system
    /// The program came to a sudden end, and was started again.
    case crash
    /// The device had gone or gave nothing any more.
    case device
    /// Somebody else held the device.
    case deviceBusy
    /// The source lost it before it came to us: a driver without a free buffer, a pipeline that was late.
    case source
    /// The sound device's buffer ran over before it was read.
    case xrun
    case encoderTooSlow
    /// The disk took the data too slowly.
    case diskTooSlow
    /// There was no room on the disk.
    case disk
    /// The output's server could not be reached, or did not take it fast enough.
    case network
  }

  package let cause: Cause
  /// The output that lacks it; nil where all of them do.
  package let output: String?
  package let wallFrom: WallTime
  package let wallTo: WallTime
  /// Where on the media time line.
  package let mediaAt: MediaTime
  package let lostVideo: MediaTime
  package let lostPictures: Int
  package let lostAudio: MediaTime

  package init(
    _ cause: Cause, output: String? = nil, wallFrom: WallTime, wallTo: WallTime, mediaAt: MediaTime,
    lostVideo: MediaTime = .zero, lostPictures: Int = 0, lostAudio: MediaTime = .zero
  ) {
    self.cause = cause
    self.output = output
    self.wallFrom = wallFrom
    self.wallTo = wallTo
    self.mediaAt = mediaAt
    self.lostVideo = lostVideo
    self.lostPictures = lostPictures
    self.lostAudio = lostAudio
  }
}

extension Gap {
  /// What a gap calls the recording where it alone lacks something.
  package static let recording = "recording"

  /// The recording lacks it.
  package var isOfRecording: Bool { output == nil || output == Self.recording }
}

extension Gap.Cause: CustomStringConvertible {
  /// As a person says it.
  package var description: String {
    switch self {
    case .user: "interrupted"
    case .system: "interrupted by the system"
    case .crash: "the program was gone"
    case .device: "device lost"
    case .deviceBusy: "device busy"
    case .source: "lost by the source"
    case .xrun: "xrun"
    case .encoderTooSlow: "encoder too slow"
    case .diskTooSlow: "disk too slow"
    case .disk: "disk full"
    case .network: "network"
    }
  }
}
