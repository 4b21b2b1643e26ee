internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

/// How far a broadcast has come: what only `Broadcast.run` changes.
struct Stage {
  enum Start: Hashable {
    case connecting, decided
  }

  private let hasDuration: Bool
  /// Tracks whose sources come to an end by themselves.
  var selfEnding: Set<TrackKind>
  private let tracks: Set<TrackKind>
  private var finished: Set<TrackKind> = []
  private var stopReason: BroadcastEvent.EndReason?
  private var isStopped: Bool { stopReason != nil }
  var start = Start.connecting
  /// An interruption that is under way.
  var pause: Pause?
  /// Those that are over.
  var interruptions: [Gap] = []
  private var hasReachedEnd = false
  private(set) var failure: BroadcastError?
  /// Why there is no recording any more, though the outputs go on.
  private(set) var recordingFailure: BroadcastError?
  private let hasRecording: Bool
  /// Media time runs.
  private(set) var isOnAir = false
  /// It has been told that the broadcast is live.
  var isLive = false
  var outputs: OutputStates
  private var votes: BitrateVotes
  /// When the tracks that still run are ended.
  private(set) var deadline: MonotonicTime?
  /// The recording; nil until its first fragment has been written.
  var path: String?
  /// Of each of its files.
  var recordedBytes: [String: Int] = [:]
  var disk = DiskState.writing
  var gaps: [Gap] = []

  /// How long a track may take to come to the asked-for end after another one has.
  private static let drainLimit = MediaTime.seconds(2)

  /// One that is `resumed` is interrupted, and has been live.
  init(configuration: Configuration, tracks: Set<TrackKind>, resumed: ResumedBroadcast? = nil) {
    hasDuration = configuration.session.duration != nil
    self.tracks = tracks
    hasRecording = configuration.recording.directory != nil
    outputs = OutputStates(
      ids: configuration.outputSettings.map(\.id),
      accepted: configuration.outputSettings.filter { resumed?.hasAccepted($0) ?? false }.map(\.id))
    votes = BitrateVotes(highest: configuration.video.bitrate)
    var selfEnding: Set<TrackKind> = []
    if configuration.video.source.isFile { selfEnding.insert(.video) }
    if configuration.audio.source.isFile { selfEnding.insert(.audio) }
    self.selfEnding = selfEnding
    guard let resumed else { return }
    start = .decided
    isOnAir = true
    isLive = true
    pause = Pause(resumed, at: .now)
    interruptions = resumed.interruptions(of: tracks)
    gaps = resumed.broadcast.gapMap.gaps
    path = resumed.recording?.path
  }

  var areAttemptsDecided: Bool { failure == nil && outputs.areAllDecided }

  /// Tracks that still give something.
  var running: Set<TrackKind> { tracks.subtracting(finished) }

  mutating func goLive() {
    isOnAir = true
  }

  /// Why nobody would get anything; nil where somebody may.
  var refusalOfAll: BroadcastError? {
    hasNothingLeft ? outputs.failureOfAll : nil
  }

  /// There is no recording, or none any more.
  var hasNothingLeft: Bool { !hasRecording || recordingFailure != nil }

  /// The broadcast goes on for its outputs, if there are any that take something.
  mutating func loseRecording(_ error: RecordingError) {
    recordingFailure = .recording(error)
    if outputs.isEmpty || outputs.failureOfAll != nil { fail(.recording(error)) }
  }

  mutating func vote(_ bitrate: Int?, by output: String, why: String, _ wishes: EncoderWishes) {
    guard let bitrate = votes.vote(bitrate, by: output) else { return }
    wishes.change(BitrateChange(bitsPerSecond: bitrate, why: why))
  }

  /// The encoder's highest bitrate is another one from now on.
  mutating func limit(_ bitrate: Int, _ wishes: EncoderWishes) {
    guard let bitrate = votes.limit(to: bitrate) else { return }
    wishes.change(BitrateChange(bitsPerSecond: bitrate, why: "as configured", isConfigured: true))
  }

  /// The tracks that still run are to be ended now.
  func isOver(_ now: MonotonicTime) -> Bool {
    isStopped || failure != nil || finished == tracks || deadline.map { now >= $0 } ?? false
  }

  mutating func stop(_ reason: BroadcastEvent.EndReason) {
    stopReason = stopReason ?? reason
  }

  /// The first failure is the one that counts.
  mutating func fail(_ error: BroadcastError) {
    if failure == nil { failure = error }
  }

  /// One track has come to its end. Another one that comes to its own is waited for; one that never would is not.
  mutating func finish(_ track: TrackKind, hasReachedEnd: Bool, at now: MonotonicTime) {
    finished.insert(track)
    self.hasReachedEnd = self.hasReachedEnd || hasReachedEnd
    if hasReachedEnd {
      deadline = now + Self.drainLimit
    } else if !hasDuration, !tracks.subtracting(finished).isSubset(of: selfEnding) {
      deadline = now
    }
  }

  var endReason: BroadcastEvent.EndReason {
    if failure != nil { return .failed }
    if let stopReason { return stopReason }
    return hasReachedEnd ? .duration : .sourceEnded
  }
}
