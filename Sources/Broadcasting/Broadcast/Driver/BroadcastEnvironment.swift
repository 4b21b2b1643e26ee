package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRecording

/// The side effects of a broadcast.
package protocol BroadcastEnvironment {
  /// Opens and starts all parts, and blocks meanwhile. Answered by `opened` or `openingFailed`.
  mutating func open()
  mutating func command(_ command: MediaCommand, at now: MonotonicTime)
  /// Stops media time with the next picture; each lane answers `stopped`. Returns the start of media
  /// time, or nil if it was not running: between two separate calls, a picture could arrive.
  mutating func pauseMedia(at now: MonotonicTime) -> MediaStart?
  mutating func command(_ command: OutputCommand)
  mutating func flushRecorder()
  mutating func request(_ request: EncoderRequest)
  /// Ends the streams of those who watch or await a rendition.
  mutating func refuseViewers(of rendition: RenditionID, why: String)
  /// Dates the entry `ago` before `now`. Blocks until a transition is on disk.
  mutating func write(_ entry: JournalEntry, ago: MediaTime, at now: Instant)
  mutating func report(_ observation: Broadcast.Observation)
  /// Also has the recorder check for a slow disk.
  mutating func publishSnapshot(
    _ state: Snapshot.State, disk: DiskState, losing: [Gap], _ adaptations: [String: OutputAdaptation],
    at now: MonotonicTime)
  /// A query, answered at once.
  mutating func load(at now: MonotonicTime) -> EncodingLoad
  mutating func answer(_ answer: BroadcastAnswer)
  /// Ends all parts, and blocks meanwhile. Answered by `finished`.
  mutating func finish()
  mutating func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event?
  /// A query, answered at once, like the next one.
  func losses(at now: MonotonicTime) -> [RunningLoss]
  /// Each output's oldest undelivered media of each track.
  var undelivered: [String: [TrackKind: MediaTime]] { get }
  /// The end of what was encoded or copied, which may be behind the media time by the delay of a source.
  var encodedUntil: MediaTime { get }
  /// What viewers of the live stream watch or await.
  var watched: Set<RenditionID> { get }
  func media(at now: MonotonicTime) -> MediaReading
}

package struct MediaReading: Hashable, Sendable {
  package var time = MediaTime.zero
  package var isRunning = false
  package var isBehind = false

  package init(time: MediaTime = .zero, isRunning: Bool = false, isBehind: Bool = false) {
    self.time = time
    self.isRunning = isRunning
    self.isBehind = isBehind
  }
}
