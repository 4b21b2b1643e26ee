import Glibc
import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastRecording

/// A machine, its clock, and what it has reported.
struct RecordingStory {
  private(set) var machine: RecordingMachine
  var now = MonotonicTime(nanoseconds: 0)
  private(set) var reports: [Recorder.Event] = []

  init(
    _ destination: Recorder.Destination = .new("a.mp4"), _ change: (inout RecorderSettings) -> Void = { _ in }
  ) {
    var settings = RecorderSettings()
    change(&settings)
    machine = RecordingMachine(destination, tracks: [.video, .audio], settings: settings)
  }

  /// The first packet has been written.
  static func begun(bytes: Int = 100, _ change: (inout RecorderSettings) -> Void = { _ in }) -> RecordingStory
  {
    var story = RecordingStory(.new("a.mp4"), change)
    story.gather()
    story.handle(.room(hasFile: false), .opened(path: "a.mp4"), .written(bytes: bytes))
    return story
  }

  /// The second picture has been written, but not synced.
  static func unsynced() -> RecordingStory {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.sync), .synchronized(1, nil))
    story.write(picture(1), bytes: 200)
    story.handle(.timerFired(.sync), .synchronized(2, syncFailure))
    return story
  }

  @discardableResult
  mutating func fire(_ timer: RecordingMachine.Timer, after time: MediaTime) -> [RecordingMachine.Action] {
    now = now + time
    return handle(.timerFired(timer))
  }

  /// The disk is measured again, and has room.
  @discardableResult
  mutating func retry(after time: MediaTime = .seconds(1), hasFile: Bool) -> [RecordingMachine.Action] {
    fire(.retry, after: time)
    return handle(.room(hasFile: hasFile))
  }

  /// The packet is written; the file has `bytes` then.
  @discardableResult
  mutating func write(_ packet: MediaPacket, bytes: Int) -> [RecordingMachine.Action] {
    offer(packet)
    return handle(.written(bytes: bytes))
  }

  /// The packet cannot be written.
  @discardableResult
  mutating func fail(_ packet: MediaPacket, _ code: Int32) -> [RecordingMachine.Action] {
    offer(packet)
    return handle(.operationFailed(failure(code)))
  }

  /// All resulting actions, except reports.
  @discardableResult
  mutating func handle(_ events: RecordingMachine.Event...) -> [RecordingMachine.Action] {
    events.flatMap { machine.handle($0, at: now) }.filter { action in
      guard case .report(let event) = action else { return true }
      reports.append(event)
      return false
    }
  }

  @discardableResult
  mutating func offer(_ packet: MediaPacket) -> [RecordingMachine.Action] {
    handle(.packet(packet, standstill: .zero))
  }

  mutating func gather() {
    for track in SampleRecording.tracks { handle(.track(track)) }
    offer(picture(0, isKeyframe: true))
  }
}

func picture(_ number: Int64, isKeyframe: Bool = false) -> MediaPacket {
  SampleRecording.picture(number, isKeyframe: isKeyframe)
}

func sound(at time: MediaTime) -> MediaPacket { SampleRecording.sound(0).moved(to: time) }

func failure(_ code: Int32) -> RecordingError {
  RecordingError(path: "a.mp4", SystemError(operation: "write", code: code))
}

let syncFailure = RecordingError(path: "a.mp4", SystemError(operation: "fdatasync", code: EIO))

let lossOfUnsynced = Recorder.Loss(
  track: .video, at: picture(1).decodeTime, duration: picture(1).duration, packets: 0, cause: .diskFailed)

func open(_ opening: RecordingMachine.Opening, at origin: MediaTime) -> RecordingMachine.Action {
  .open(opening, SampleRecording.tracks, origin: origin)
}

extension RecordingMachine.Event {
  static func room(hasFile: Bool) -> Self { .measured(free: 1 << 40, hasFile: hasFile) }
}

extension RecordingMachine.Action {
  var isWrite: Bool { if case .write = self { true } else { false } }
}
