import HoldfastLifecycle
import HoldfastMediaModel

/// Decides whether a server makes progress, stalls or has failed: a value, fed with a sink's health.
struct StallDetector {
  enum Progress {
    case nothingNew, progressed, stalled, recovered
  }

  private var lastProgress: MonotonicTime
  private var mediaSentAt: MonotonicTime?
  /// When the server was first seen to owe an answer.
  private var waitingSince: MonotonicTime?
  private(set) var isStalled = false

  /// A server that owes an answer counts as stalled after this time.
  static let threshold = MediaTime.seconds(1)
  /// After a longer pause between an answer and the next request, the server's time limit restarts.
  private static let maxPause = MediaTime.milliseconds(500)

  init(since start: MonotonicTime) { lastProgress = start }

  /// From now on, progress counts as the server's.
  mutating func mediaSent(at now: MonotonicTime) { mediaSentAt = mediaSentAt ?? now }

  /// The progress since the last call; throws `noProgress` after `limit` without any.
  mutating func check(
    _ health: SinkHealth, at now: MonotonicTime, limit: MediaTime
  ) throws(SinkError) -> Progress {
    if !health.isWaitingForPeer { waitingSince = nil }
    if health.lastProgress > lastProgress {
      (lastProgress, waitingSince) = (health.lastProgress, nil)
      defer { isStalled = false }
      if isStalled { return .recovered }
      return mediaSentAt.map { lastProgress > $0 } ?? false ? .progressed : .nothingNew
    }
    guard health.isWaitingForPeer else { return .nothingNew }
    let began = waitingSince ?? now
    waitingSince = began
    let silence = now - (began - lastProgress > Self.maxPause ? began : lastProgress)
    guard silence > Self.threshold else { return .nothingNew }
    if silence > limit { throw SinkError(.noProgress, Self.text(silence)) }
    guard !isStalled else { return .nothingNew }
    isStalled = true
    return .stalled
  }

  static func text(_ silence: MediaTime) -> String { "no response for \(Int(silence.seconds.rounded())) s" }
}
