package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

/// The state of a broadcast at one instant.
package struct Snapshot: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case previewing, starting, live, interrupted, backgrounded, ended
  }

  package var state = State.starting
  package var mediaTime = MediaTime.zero
  package var framesPerSecond = 0.0
  package var bitsPerSecond = 0.0
  /// Those that have begun to be encoded.
  package var tracks: [TrackKind: EncodedTrack] = [:]
  package var renditions: [RenditionStatus] = []
  /// Nil if nothing is recorded, or a copied track.
  package var recordedBitsPerSecond: Double?
  package var droppedPictures = 0
  package var xruns = 0
  /// In dBFS; nil without sound.
  package var audioPeak: Double?
  /// RMS in dBFS; nil without sound.
  package var audioLevel: Double?
  /// Clock drift of the sound device; nil until known.
  package var driftPPM: Double?
  package var recordedBytes: Int64 = 0
  /// Free space for the recording, in bytes; nil if nothing is recorded, or until it was measured.
  package var diskRoom: Int?
  /// Nil if nothing is recorded.
  package var disk: DiskState?
  /// Media queued for the disk.
  package var recordQueue = MediaTime.zero
  package var outputs: [OutputStatus] = []
  /// Losses in progress.
  package var losing: [Gap] = []

  package init() {}

  package var air: AirState {
    // One that is closed without a cause has nowhere to publish to.
    let outputs = outputs.filter {
      $0.figures.condition.state != .closed || $0.figures.condition.cause != nil
    }
    return AirState(isLive: state == .live, outputs.map(\.figures.condition.state))
  }
}

package struct EncodedTrack: Hashable, Sendable {
  package let codec: Codec
  package let format: Track.Format
  /// Measured.
  package let bitsPerSecond: Double
  /// The current target of the video encoder; nil if it has none, or for sound.
  package let targetBitrate: Int?
}

/// An encode of the pictures.
package struct RenditionStatus: Hashable, Sendable {
  package let id: RenditionID
  /// Outputs, and the recording.
  package let users: [String]
  /// Nil before the first picture.
  package let format: Track.Format?
  package let bitsPerSecond: Double
  package let targetBitrate: Int?
}

package struct OutputStatus: Hashable, Sendable {
  package let id: String
  package let figures: OutputFigures
  /// Nil unless it may have an encode of its own.
  package var adaptation: OutputAdaptation?
}

/// How many of the outputs a live broadcast reaches. The raw values are a stable interface.
package enum AirState: String, Hashable, Sendable, CaseIterable {
  case all, some, none
  /// Not live, or without network outputs.
  case off

  package init(isLive: Bool, _ outputs: [OutputLifecycle.Condition.State]) {
    let publishing = outputs.count { $0 == .publishing }
    self =
      switch publishing {
      case _ where !isLive || outputs.isEmpty: .off
      case 0: .none
      case outputs.count: .all
      default: .some
      }
  }
}
