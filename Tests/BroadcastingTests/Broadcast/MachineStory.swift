import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// A broadcast's machine that handles one event after another, and the actions it asked for, in short words.
struct MachineStory {
  private(set) var machine: BroadcastMachine
  var now = MediaTime.seconds(100)
  /// How far the wall clock was set.
  var wallStep = MediaTime.zero
  /// All actions that it has asked for.
  private(set) var actions: [BroadcastMachine.Action] = []

  init(
    outputs: [String] = [], isRecorded: Bool = true, tracks: Set<TrackKind> = [.video, .audio],
    hasDuration: Bool = false, requiresAllOutputs: Bool = false, renditions: [PlannedRendition] = [],
    sharedBitrates: [String: Int] = [:], viewable: [PlannedRendition] = [],
    resumed: BroadcastMachine.Resumed? = nil
  ) {
    var settings = BroadcastMachine.Settings(
      tracks: tracks,
      outputs: outputs.map {
        .init(id: $0, url: "rtmp://\($0)", journalKey: "\($0)#", wasAccepted: resumed != nil)
      }, isRecorded: isRecorded, publishType: .record, bitrate: 2_000_000, hasDuration: hasDuration,
      requiresAllOutputs: requiresAllOutputs, resumed: resumed)
    (settings.renditions, settings.sharedBitrates) = (renditions, sharedBitrates)
    settings.viewable = viewable
    machine = BroadcastMachine(settings)
  }

  /// On air, all outputs publishing, the recording open.
  static func onAir(
    outputs: [String] = [], isRecorded: Bool = true, tracks: Set<TrackKind> = [.video, .audio],
    hasDuration: Bool = false, renditions: [PlannedRendition] = [], sharedBitrates: [String: Int] = [:],
    viewable: [PlannedRendition] = []
  ) -> MachineStory {
    var story = MachineStory(
      outputs: outputs, isRecorded: isRecorded, tracks: tracks, hasDuration: hasDuration,
      renditions: renditions, sharedBitrates: sharedBitrates, viewable: viewable)
    story.handle([.started, .opened, .request(.goLive)])
    for output in outputs { story.handle([.output(output, .accepted)]) }
    story.handle(.lane(.started(story.start())))
    for output in outputs {
      story.handle([
        .output(output, .changed(.init(.publishing), reason: nil)), .output(output, .firstAttemptFinished),
      ])
    }
    if isRecorded { story.handle([.recorder(.opened(path: "a.mp4"))]) }
    return story
  }

  /// Interrupted, with everything at rest.
  static func paused(outputs: [String] = []) -> MachineStory {
    var story = onAir(outputs: outputs)
    story.handle([.request(.pause), .lane(.stopped(.video)), .lane(.stopped(.audio)), .recorder(.flushed)])
    for output in outputs { story.handle(.output(output, .changed(.init(.closed), reason: nil))) }
    return story
  }

  func start(lastEnd: MediaTime? = nil) -> MediaStart {
    MediaStart(
      at: MonotonicTime(nanoseconds: now.nanoseconds), mediaTime: .seconds(7),
      lastEnd: lastEnd.map { MonotonicTime(nanoseconds: $0.nanoseconds) })
  }

  /// The actions that these events lead to.
  @discardableResult mutating func handle(_ events: [BroadcastMachine.Event]) -> [String] {
    let new = events.flatMap { machine.handle($0, at: Instant(now, wallStep: wallStep)) }
    actions += new
    return new.map(\.words)
  }

  @discardableResult mutating func handle(_ event: BroadcastMachine.Event) -> [String] { handle([event]) }

  var outcome: Broadcast.Outcome? {
    for case .answer(.ended(let outcome)) in actions { return outcome }
    return nil
  }

  /// The gaps that it has reported.
  var gaps: [Gap] { actions.compactMap { if case .report(.gap(let gap)) = $0 { gap } else { nil } } }
}

extension Instant {
  /// `time` after the boot, by a wall clock that began with it and was set since.
  init(_ time: MediaTime, wallStep: MediaTime = .zero) {
    self.init(
      monotonic: MonotonicTime(nanoseconds: time.nanoseconds), sinceBoot: time,
      wall: WallTime(nanoseconds: time.nanoseconds) + wallStep)
  }
}

extension PlannedRendition {
  /// One that nobody can encode.
  init(
    _ id: RenditionID, _ size: String, bitrate: Int = 1_000_000, isRecorded: Bool = false,
    outputs: [String] = []
  ) {
    self.init(
      id: id, size: PictureSize(size) ?? PictureSize(width: 0, height: 0), bitrate: bitrate, encoders: [],
      isRecorded: isRecorded, outputs: outputs)
  }
}

extension BroadcastMachine.Event {
  static let resume = Self.request(.resume(after: .user))
  static let pause = Self.request(.pause)
  static let stop = Self.request(.stop(.stopped))
  /// Media time has begun.
  static let begun = Self.lane(.started(MachineStory().start()))

  static func changed(
    _ output: String, _ state: OutputLifecycle.Condition.State, _ reason: String? = nil
  ) -> Self { .output(output, .changed(.init(state), reason: reason)) }

  static func load(idle: Double) -> Self { .loadRead(EncodingLoad(encode: 0.2, idle: idle)) }

  /// The network of `output` carries no more.
  static func asks(_ output: String, _ bitrate: Int) -> Self {
    .output(output, .bitrateRequested(bitrate, reason: "slow"))
  }
}

/// A broadcast, and what it answers to one event after another; nil where that is not what the case is about.
struct MachineCase: Sendable, CustomTestStringConvertible {
  typealias Step = (on: [BroadcastMachine.Event], actions: [String]?)
  let testDescription: String
  let story: MachineStory
  let steps: [Step]

  init(_ title: String, _ story: MachineStory = MachineStory(), _ steps: Step...) {
    (testDescription, self.story, self.steps) = (title, story, steps)
  }

  /// An ellipsis stands for any actions before or behind those that are listed.
  func check(every pause: MediaTime = .zero) {
    var story = story
    for (number, step) in steps.enumerated() {
      var actions = story.handle(step.on)
      story.now += pause
      guard let wanted = step.actions else { continue }
      if wanted.first == "…" { actions = ["…"] + actions.suffix(wanted.count - 1) }
      if wanted.last == "…" { actions = actions.prefix(wanted.count - 1) + ["…"] }
      #expect(actions == wanted, "\(testDescription): step \(number + 1), \(step.on)")
    }
  }
}

extension BroadcastMachine.Action {
  var words: String {
    switch self {
    case .open: "open"
    case .media(let command): "\(command)"
    case .pauseMedia: "pause"
    case .command(let command): "outputs \(Self.word(command))"
    case .flushRecorder: "flush"
    case .request(.keyframe): "keyframe"
    case .request(.bitrate(let change)): "bitrate \(change.bitsPerSecond)"
    case .request(.beginOwn(let output, let bitrate)): "own \(output) \(bitrate)"
    case .request(.endOwn(let output)): "share \(output)"
    case .request(.use(let renditions)):
      "use \(renditions.map(\.description).sorted().joined(separator: " "))"
    case .refuseViewers(let rendition, let why): "refuse \(rendition): \(why)"
    case .write(let entry, _): "write \(Self.word(entry))"
    case .writeInterrupted: "write interrupted"
    case .report(let event): "report \(Self.word(event))"
    case .note: "note"
    case .warning: "warning"
    case .answer(let answer): "answer \(Self.word(answer))"
    case .setTimer(let timer, let delay): "\(timer) in \(delay.nanoseconds / 1_000_000)"
    case .cancelTimer(let timer): "no \(timer)"
    case .finish: "finish"
    }
  }

  /// The name of the case.
  private static func word(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }
}
