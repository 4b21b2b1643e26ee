/// A period missing from the recording or an output; while it lasts, what is missing so far.
package struct Gap: Hashable, Sendable {
  /// The cause of a gap; raw values appear in event lines.
  package enum Cause: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case user
    /// The seat's session was locked or inactive.
    case system
    case crash
    /// The worker that composed the programme was gone, until another one took its job over.
    case worker
    case device
    case deviceBusy
    /// Lost before capture: no free driver buffer, or a late pipeline.
    case source
    /// An overrun of the sound device's buffer.
    case xrun
    case encoderTooSlow
    case diskTooSlow
    /// The disk was full.
    case disk
    /// The disk refused writes for another reason.
    case diskFailed
    /// The recording's file or folder was removed or replaced.
    case fileGone
    case network

    /// The broadcast went on in another process.
    package var isOfProcess: Bool { self == .crash || self == .worker }

    package var description: String {
      switch self {
      case .user: "interrupted"
      case .system: "interrupted by the system"
      case .crash: "the program was not running"
      case .worker: "no worker composed it"
      case .device: "device lost"
      case .deviceBusy: "device busy"
      case .source: "lost by the source"
      case .xrun: "xrun"
      case .encoderTooSlow: "encoder too slow"
      case .diskTooSlow: "disk too slow"
      case .disk: "disk full"
      case .diskFailed: "disk error"
      case .fileGone: "recording file removed"
      case .network: "network"
      }
    }
  }

  /// Unique in its broadcast, counted from 1; 0 if it is not known.
  package var id: Int
  package var cause: Cause
  /// The affected output; nil for all.
  package let output: String?
  package let wallFrom: WallTime
  package let wallTo: WallTime
  package let mediaAt: MediaTime
  package let lostVideo: MediaTime
  package let lostPictures: Int
  package let lostAudio: MediaTime
  /// From the first that is missing to the end of the last, in media time: a gap may have several holes.
  package let extent: MediaTime
  /// A stand-in's media took the place of what was lost: a slate, or silence. Nil if that is not known.
  package var isFilled: Bool?
  /// Whose media was lost, in a recording that shows several members; nil for a gap of the whole.
  package var member: String?

  package init(
    _ cause: Cause, id: Int = 0, output: String? = nil, wallFrom: WallTime, wallTo: WallTime,
    mediaAt: MediaTime, lostVideo: MediaTime = .zero, lostPictures: Int = 0, lostAudio: MediaTime = .zero,
    extent: MediaTime = .zero, isFilled: Bool? = nil, member: String? = nil
  ) {
    self.id = id
    self.cause = cause
    self.output = output
    self.wallFrom = wallFrom
    self.wallTo = wallTo
    self.mediaAt = mediaAt
    self.lostVideo = lostVideo
    self.lostPictures = lostPictures
    self.lostAudio = lostAudio
    self.extent = max(extent, lostVideo, lostAudio)
    self.isFilled = isFilled
    self.member = member
  }
}

extension Gap {
  /// The `output` of a gap in the recording alone.
  package static let recording = "recording"

  /// The cause in words.
  package var reason: String {
    if member != nil { return "away" }
    return cause == .crash && output != nil ? "not delivered before a crash" : "\(cause)"
  }

  /// Of the longer track.
  package var lost: MediaTime { max(lostVideo, lostAudio) }

  /// Several losses, with media in between.
  package var hasSeveralHoles: Bool { extent > lost }

  /// What one member of a programme lacks, the recording does not: something else is shown in its place.
  package var isOfRecording: Bool { member == nil && (output == nil || output == Self.recording) }
}
