import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording

/// An interruption of a broadcast, from when it is asked for until media time goes on.
struct Pause {
  enum Step: Hashable {
    /// What was captured before is on its way through the encoders.
    case holding
    /// The outputs leave, the recorder writes.
    case leaving
    /// Nothing is to be done.
    case resting
    /// The outputs come back.
    case returning(Gap.Cause)
    /// Media time goes on with the next picture.
    case beginning(Gap.Cause)
  }

  var step = Step.holding
  /// When this step is over, whatever has not come; nil where it lasts.
  var deadline: MonotonicTime?
  let since: MonotonicTime
  private let asked: MonotonicTime
  let wallSince: WallTime
  /// What another process has left interrupted costs what it was interrupted for, and each track what it lacks besides.
  private(set) var resumed: ResumedBroadcast?
  var isRecordingDone = false
  private var unheld: Set<TrackKind>
  private var awaited: Set<String> = []

  /// A source that gives nothing is not waited for.
  private static let holdLimit = MediaTime.milliseconds(150)
  /// An encoder that is behind is waited for longer.
  private static let longestHold = MediaTime.seconds(1)
  /// An output whose server takes its time joins later.
  private static let returnLimit = MediaTime.milliseconds(400)
  /// An encoder that is behind is looked at again after this time.
  private static let lookInterval = MediaTime.milliseconds(5)

  init(_ tracks: Set<TrackKind>, at now: MonotonicTime, wall: WallTime) {
    unheld = tracks
    since = now
    asked = now
    wallSince = wall
    deadline = now + Self.holdLimit
  }

  /// At rest since another process came to its end.
  init(_ resumed: ResumedBroadcast, at now: MonotonicTime) {
    step = .resting
    unheld = []
    asked = now
    since = now - resumed.length(until: .now())
    wallSince = resumed.since.wall
    isRecordingDone = true
    self.resumed = resumed
  }

  /// Waits a little longer; false where it has been waited for long enough.
  mutating func holdOn(_ now: MonotonicTime) -> Bool {
    deadline = now + Self.lookInterval
    return now < asked + Self.longestHold
  }

  mutating func hold(_ track: TrackKind) {
    unheld.remove(track)
  }

  /// `id` has left its server.
  mutating func left(_ id: String) {
    if step == .leaving { awaited.remove(id) }
  }

  /// The first attempt of `id` after the return is decided.
  mutating func decided(_ id: String) {
    if case .returning = step { awaited.remove(id) }
  }

  var isHeld: Bool { unheld.isEmpty }
  var hasLeft: Bool { awaited.isEmpty && isRecordingDone }
  var isBack: Bool { awaited.isEmpty }

  mutating func leave(_ outputs: Set<String>, hasRecording: Bool) {
    step = .leaving
    deadline = nil
    awaited = outputs
    isRecordingDone = !hasRecording
  }

  mutating func rest() {
    step = .resting
    deadline = nil
  }

  mutating func comeBack(_ outputs: Set<String>, after cause: Gap.Cause, at now: MonotonicTime) {
    step = .returning(cause)
    awaited = outputs
    deadline = now + Self.returnLimit
  }

  /// However long it takes: without a picture media time does not run.
  mutating func begin(after cause: Gap.Cause) {
    step = .beginning(cause)
    deadline = nil
  }
}
