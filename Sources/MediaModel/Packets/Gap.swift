/// A stretch that is missing from the recording or from one output.
package struct Gap: Hashable, Sendable {
  /// Why something is missing; the raw values appear in event lines.
  package enum Cause: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A requested interruption.
    case user
    /// The seat's session was locked or inactive.
    case system
    /// The program crashed and was restarted.
    case crash
    /// The device was lost.
    case device
    /// Another program used the device.
    case deviceBusy
    /// Lost before capture: a driver without a free buffer, a late pipeline.
    case source
    /// The sound device's buffer overran.
    case xrun
    case encoderTooSlow
    case diskTooSlow
    /// The disk was full.
    case disk
    /// The output's server could not be reached, or was too slow.
    case network

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

  package let cause: Cause
  /// The affected output; nil for all of them.
  package let output: String?
  package let wallFrom: WallTime
  package let wallTo: WallTime
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
  /// The `output` of a gap that affects the recording alone.
  package static let recording = "recording"

  package var isOfRecording: Bool { output == nil || output == Self.recording }
}
