internal import MediaModel

/// How far a broadcast has come: what only `Broadcast.run` changes.
struct Stage {
  private let endsByDuration: Bool
  /// Tracks whose sources come to an end by themselves.
  private let selfEnding: Set<TrackKind>
  var isLive = false
  var path = ""
  var recordedBytes = 0
  var gaps: [Gap] = []
  var finished: Set<TrackKind> = []
  private(set) var failure: BroadcastError?
  private var isStopped = false
  /// When the tracks that still run are ended.
  private(set) var deadline: MonotonicTime?

  init(configuration: Configuration) {
    endsByDuration = configuration.duration != nil
    var selfEnding: Set<TrackKind> = []
    if configuration.video.isFile { selfEnding.insert(.video) }
    if configuration.audio.isFile { selfEnding.insert(.audio) }
    self.selfEnding = selfEnding
  }

  /// The tracks are to be ended now.
  func isOver(_ now: MonotonicTime) -> Bool {
    isStopped || failure != nil || deadline.map { now >= $0 } ?? false
  }

  mutating func stop() {
    isStopped = true
  }

  /// The first failure is the one that counts.
  mutating func fail(_ error: BroadcastError) {
    if failure == nil { failure = error }
  }

  /// When one track has come to its end, the others may come to theirs until `limit`; one that never would isn't
  /// waited for.
  mutating func startDraining(until limit: MonotonicTime) {
    guard !finished.isEmpty, deadline == nil else { return }
    let rest = Set(TrackKind.allCases).subtracting(finished)
    let willEnd = endsByDuration || rest.isSubset(of: selfEnding)
    deadline = willEnd ? limit : MonotonicTime(nanoseconds: 0)
  }

  var endReason: BroadcastEvent.EndReason {
    if failure != nil { return .failed }
    if isStopped { return .stopped }
    return endsByDuration ? .duration : .sourceEnded
  }
}
