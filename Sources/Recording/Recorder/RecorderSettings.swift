package import HoldfastMP4
package import HoldfastMediaModel

/// How a recording is written.
package struct RecorderSettings: Sendable {
  /// How long the disk may stand still before anything is lost.
  package var queue = MediaTime.seconds(20)
  /// How often what was written is made to outlive a power cut.
  package var syncEvery = MediaTime.seconds(1)
  /// When it goes on in a new file, whose path `nextPath` gives; nil for never.
  package var segment: SegmentLength?
  package var disk = DiskLimits(reserve: 0)
  /// How long the recording gets, where that is known.
  package var expected: MediaTime?
  /// A disk that has no room at the start is waited for: others get the broadcast meanwhile.
  package var waitsForRoom = false

  package init() {}

  /// How long one file gets, where that is known.
  var expectedFile: MediaTime? {
    guard case .duration(let length) = segment else { return expected }
    return min(expected ?? length, length)
  }
}

extension Recorder {
  /// Where a recording is written.
  package enum Place: Hashable, Sendable {
    /// To a file that is not there yet, in which `origin` is 0.
    case new(String, origin: MediaTime = .zero)
    /// Behind what another process has left of it. Where the tracks are other ones now, or the file has gone, the
    /// recording goes on in a file beside it, in which `origin` is 0. In the file itself `fileOrigin` is. What is not known
    /// of it yet is read when it is opened.
    case continuing(String, FragmentedFile?, fileOrigin: MediaTime = .zero, origin: MediaTime)

    package var path: String {
      switch self {
      case .new(let path, _), .continuing(let path, _, _, _): path
      }
    }

    /// What lies here on the media time line is at 0 in the file.
    var fileOrigin: MediaTime {
      switch self {
      case .new(_, let origin): origin
      case .continuing(_, _, let fileOrigin, _): fileOrigin
      }
    }
  }

  /// What a recorder asks of the rest of its broadcast, on its own thread.
  package struct Callbacks: Sendable {
    /// A file is about to be written, or its time has moved: what lies at `origin` on the media time line is at 0 in it.
    package var note: @Sendable (_ path: String, _ tracks: [Track], _ origin: MediaTime) -> Void = {
      _, _, _ in
    }
    /// Where the next file of a recording in several goes; beside the one before, where nobody says.
    package var nextPath: (@Sendable () -> String)?
    /// Behind a loss the picture can go on earlier if there is a keyframe.
    package var requestKeyframe: @Sendable () -> Void = {}
    /// How much later than its media time a packet is to lie in the file: how long the broadcast stood still before.
    package var standstill: @Sendable (MediaTime) -> MediaTime = { _ in .zero }

    package init() {}
  }
}
