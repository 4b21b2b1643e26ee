package import HoldfastMediaModel
package import HoldfastRecording

/// When the media of a broadcast was captured, from its journal alone. Media time runs in step with the clock
/// from the beginning of each run to that of the next one.
package struct WallTimeline: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    /// Where it begins in media time.
    package let media: MediaTime
    /// When that was captured.
    package let captured: JournalInstant
    /// Why media time stood still before it; nil for the first run.
    package let cause: String?
  }

  /// The wall clock was set.
  package struct ClockStep: Hashable, Sendable {
    /// When, by the clock as it was set then.
    package let at: WallTime
    /// Negative if it was set back.
    package let by: MediaTime
  }

  package private(set) var runs: [Run] = []
  package private(set) var clockSteps: [ClockStep] = []
  /// False if the journal says when the broadcast went live, but not which media time that was.
  package private(set) var isExact = true

  /// The cause of a standstill that has no entry: only sleep stops the clock of media.
  static let sleep = "sleep"
  /// As in the event of a step. Differences below are those of reading several clocks one after the other.
  static let minStep = MediaTime.milliseconds(100)

  package init(_ journal: Journal) {
    var reader = RunReader()
    var clock: JournalInstant?
    for record in journal.records {
      reader.add(record)
      if let known = clock, known.bootID == record.instant.bootID {
        let step = known.clockStep(until: record.instant)
        if step <= .zero - Self.minStep || step >= Self.minStep {
          clockSteps.append(ClockStep(at: record.instant.wall, by: step))
        }
      }
      clock = record.instant
    }
    runs = reader.runs
    isExact = !reader.isApproximate
  }

  /// By the clocks as they were set last; nil if the journal has no instant of its media. Where media time
  /// stood still, that is the instant at which it continued.
  package func wall(of media: MediaTime, _ clocks: BootClocks) -> WallTime? {
    guard let run = runs.last(where: { $0.media <= media }) ?? runs.first else { return nil }
    return clocks.wall(of: run.captured.moved(by: media - run.media))
  }
}

/// Finds the runs in the entries of a journal, one after the other.
private struct RunReader {
  private(set) var runs: [WallTimeline.Run] = []
  /// The only run begins with the entry `live`.
  private(set) var isApproximate = false
  /// The only run begins with a checkpoint that may be from before its first picture.
  private var awaitsPicture = false
  /// Media time stands still, as far as the journal has said.
  private var pause: (cause: String, at: MediaTime)?
  /// The last run was noticed by a checkpoint, and has no entry of its own yet.
  private var isUnannounced = false

  mutating func add(_ record: JournalRecord) {
    switch record.entry {
    case .live where runs.isEmpty:
      runs = [.init(media: .zero, captured: record.instant, cause: nil)]
      isApproximate = true
    case .checkpoint(let media, _): addCheckpoint(media, record.instant)
    case .interrupted(let cause, let media, _):
      if pause == nil { addAnchor(media, record.instant) }
      pause = (cause, pause?.at ?? media)
    case .resumed(let media, _): resume(at: media, record.instant)
    case .began, .recording, .live, .outputAccepted, .gap, .losing, .session, .muted, .gate, .backgrounded,
      .ended, .reported:
      break
    }
  }

  /// The second checkpoint says when the first picture came, where the first one was written before it.
  private mutating func addCheckpoint(_ media: MediaTime, _ instant: JournalInstant) {
    if awaitsPicture, pause == nil, runs.count == 1, let passed = runs[0].captured.elapsed(until: instant),
      passed - media < Self.maxLead
    {
      runs = []
    }
    let isFirst = runs.isEmpty || isApproximate
    addAnchor(media, instant)
    awaitsPicture = isFirst && media == .zero
  }

  /// How long before its first picture a broadcast writes a checkpoint. What is longer is a sleep.
  private static let maxLead = MediaTime.seconds(1)

  /// Media time was `media` at an instant.
  private mutating func addAnchor(_ media: MediaTime, _ instant: JournalInstant) {
    guard let last = runs.last, !isApproximate else {
      isApproximate = false
      runs = [.init(media: .zero, captured: instant.moved(by: .zero - media), cause: nil)]
      return
    }
    guard media >= last.media, let passed = last.captured.elapsed(until: instant),
      passed - (media - last.media) > WallTimeline.minStep
    else { return }
    // Between an interruption and the first picture after it, its entry may not be written yet.
    let isSameBoot = last.captured.bootID == instant.bootID
    let cause = pause?.cause ?? (isSameBoot ? WallTimeline.sleep : Interruption.crash)
    let start = pause?.at ?? media
    begin(.init(media: start, captured: instant.moved(by: start - media), cause: cause))
    isUnannounced = pause != nil
    pause = nil
  }

  private mutating func resume(at media: MediaTime, _ instant: JournalInstant) {
    var cause = pause?.cause ?? Interruption.crash
    if isUnannounced, let last = runs.popLast() { cause = last.cause ?? cause }
    begin(.init(media: media, captured: instant, cause: cause))
    (pause, isUnannounced, isApproximate) = (nil, false, false)
  }

  private mutating func begin(_ run: WallTimeline.Run) {
    // The end of the recording may have been lost, with the beginnings of runs.
    runs.removeAll { $0.media >= run.media }
    runs.append(run)
    isUnannounced = false
  }
}
