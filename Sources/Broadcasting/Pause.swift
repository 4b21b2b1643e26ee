import Lifecycle
import MediaModel
import Recording

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
  let wallSince: WallTime
  /// What another process has left interrupted costs what it was interrupted for, and each track what it lacks besides.
  private(set) var leftBehind: TakenUp?
  private var limit: MonotonicTime?
  var isRecordingDone = false
  private var unheld: Set<TrackKind>
  private var awaited: Set<String> = []

  /// A source that gives nothing is not waited for.
  private static let holdLimit = MediaTime.milliseconds(150)
  /// An output whose server takes its time joins later.
  private static let returnLimit = MediaTime.milliseconds(400)
  /// A source that does not give anything is not waited for, either.
  private static let beginLimit = MediaTime.milliseconds(500)
  /// A picture tells nobody that media time runs.
  private static let lookInterval = MediaTime.milliseconds(5)

  init(_ tracks: Set<TrackKind>, at now: MonotonicTime, wall: WallTime) {
    unheld = tracks
    since = now
    wallSince = wall
    deadline = now + Self.holdLimit
  }

  /// At rest since another process came to its end.
  init(_ takenUp: TakenUp, at now: MonotonicTime) {
    step = .resting
    unheld = []
    since = now - takenUp.length(until: .now())
    wallSince = takenUp.since.wall
    isRecordingDone = true
    leftBehind = takenUp
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

  mutating func begin(after cause: Gap.Cause, at now: MonotonicTime) {
    step = .beginning(cause)
    limit = now + Self.beginLimit
    deadline = now + Self.lookInterval
  }

  /// Looks again a little later; false where it has been looked for long enough.
  mutating func waitForBegin(_ now: MonotonicTime) -> Bool {
    deadline = now + Self.lookInterval
    return limit.map { now < $0 } ?? false
  }
}
