package import HoldfastMP4
package import HoldfastMediaModel

package struct RecorderSettings: Sendable {
  /// Length of the queue: how long the disk may stall without a loss.
  package var queue = MediaTime.seconds(20)
  /// Permissions of new files.
  package var mode: UInt32 = 0o640
  /// Interval of syncs, which protect against a power cut.
  package var syncEvery = MediaTime.seconds(1)
  /// Length after which a new file begins, at the path of `nextPath`; nil for a single file.
  package var segment: SegmentLength?
  package var disk = DiskLimits(reserve: 0)
  /// Length of the recording, if known.
  package var expected: MediaTime?
  /// Waits for a disk that is full at the start; other outputs are unaffected.
  package var waitsForRoom = false

  package init() {}

  var expectedFile: MediaTime? {
    guard case .duration(let length) = segment else { return expected }
    return min(expected ?? length, length)
  }
}

extension Recorder {
  package struct Destination: Hashable, Sendable {
    package let path: String
    let isContinued: Bool
    /// The file to continue, if it has been read.
    let known: FragmentedFile?
    /// Media time that is 0 in the file.
    let fileOrigin: MediaTime
    /// Media time that is 0 in a new file.
    let origin: MediaTime

    /// A new file, in which `origin` is 0.
    package static func new(_ path: String, origin: MediaTime = .zero) -> Destination {
      Destination(path: path, isContinued: false, known: nil, fileOrigin: origin, origin: origin)
    }

    /// The file of an interrupted broadcast, in which `fileOrigin` is 0. If it is gone or has other tracks,
    /// a further file is created beside it, in which `origin` is 0. Without a `FragmentedFile`, the file is
    /// read when opened.
    package static func continuing(
      _ path: String, _ known: FragmentedFile?, fileOrigin: MediaTime = .zero, origin: MediaTime
    ) -> Destination {
      Destination(path: path, isContinued: true, known: known, fileOrigin: fileOrigin, origin: origin)
    }
  }

  /// Called by a recorder on its own thread.
  package struct Callbacks: Sendable {
    /// Before a file is written, and when its time moves: `origin` on the media timeline is 0 in it.
    package var journal: @Sendable (_ path: String, _ tracks: [Track], _ origin: MediaTime) -> Void = {
      _, _, _ in
    }
    /// Before a file is finished.
    package var finishing: @Sendable (_ path: String) -> Void = { _ in }
    /// Path of the next file; nil to derive it from the one before.
    package var nextPath: (@Sendable () -> String)?
    package var requestKeyframe: @Sendable () -> Void = {}
    /// Delay of a packet in the file against its media time: the duration of all standstills before it.
    package var standstill: @Sendable (MediaTime) -> MediaTime = { _ in .zero }

    package init() {}
  }
}

/// Maximum length of one file of a recording.
package enum SegmentLength: Hashable, Sendable {
  case duration(MediaTime)
  /// In bytes.
  case size(Int)

  package var isLongEnough: Bool {
    switch self {
    case .duration(let time): time >= .seconds(1)
    case .size(let bytes): bytes >= 1 << 20
    }
  }
}
