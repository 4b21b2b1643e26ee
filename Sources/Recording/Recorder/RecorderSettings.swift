public import MediaModel

/// How a recording is written.
public struct RecorderSettings: Sendable {
  /// How long the disk may stand still before anything is lost.
  public var queue = MediaTime.seconds(20)
  /// How often what was written is made to outlive a power cut.
  public var syncEvery = MediaTime.seconds(1)
  /// When it goes on in a new file, whose path `nextPath` gives; nil for never.
  public var segment: SegmentLength?
  public var disk = DiskLimits(reserve: 0)
  /// How long the recording gets, where that is known.
  public var expected: MediaTime?
  /// A disk that has no room at the start is waited for: others get the broadcast meanwhile.
  public var waitsForRoom = false

  public init() {}

  /// How long one file gets, where that is known.
  var expectedFile: MediaTime? {
    guard case .duration(let length) = segment else { return expected }
    return min(expected ?? length, length)
  }
}

/// What a recorder asks of the rest of the broadcast.
public struct RecorderSurroundings: Sendable {
  /// A file is about to be written. What lies at `origin` on the media time line is at 0 in it.
  public var begin: @Sendable (_ path: String, _ tracks: [Track], _ origin: MediaTime) -> Void = { _, _, _ in
  }
  /// Where the next file of a recording in several goes.
  public var nextPath: @Sendable () -> String?
  /// Behind a loss the picture can go on earlier if there is a keyframe.
  public var requestKeyframe: @Sendable () -> Void = {}
  /// How much later than its media time a packet is to lie in the file: how long the broadcast stood still before.
  public var standstill: @Sendable (MediaTime) -> MediaTime = { _ in .zero }

  public init(nextPath: @escaping @Sendable () -> String? = { nil }) {
    self.nextPath = nextPath
  }
}
