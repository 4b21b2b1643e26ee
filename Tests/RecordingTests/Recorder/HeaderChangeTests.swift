import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

/// A recording whose files do at once what they are asked, on a source that changes its headers. The bytes of a packet are the
/// headers that it needs.
struct ChangingRecording {
  struct File {
    var tracks: [Track]
    var packets: [MediaPacket] = []
  }

  enum Step: CaseIterable { case picture, keyframe, sound, otherPicture, otherSound }

  private var machine = RecordingMachine(
    .new("a.mp4"), tracks: [.video, .audio], settings: RecorderSettings())
  private(set) var files: [File] = []
  private var problems: [String] = []
  private(set) var reports: [Recorder.Event] = []
  private(set) var lost: [TrackKind: Int] = [.video: 0, .audio: 0]
  private(set) var offered: [TrackKind: Int] = [.video: 0, .audio: 0]
  private(set) var changes: [TrackKind: Int] = [.video: 0, .audio: 0]
  private var version: [TrackKind: UInt8] = [.video: 0, .audio: 0]
  private var needsKeyframe = true
  private var outcomes: [RecordingMachine.Event] = []
  private var now = MonotonicTime(nanoseconds: 0)
  /// The next file can't be opened so many times.
  var refusals = 0

  init() {
    for kind in TrackKind.allCases { handle(.track(track(kind))) }
  }

  private func track(_ kind: TrackKind) -> Track {
    let sample = kind == .video ? SampleRecording.video : SampleRecording.audio
    return Track(codec: sample.codec, format: sample.format, headers: [version[kind] ?? 0], bitrate: 0)
  }

  mutating func take(_ step: Step) {
    switch step {
    case .picture: offer(.video, isKeyframe: needsKeyframe)
    case .keyframe: offer(.video, isKeyframe: true)
    case .sound: offer(.audio, isKeyframe: true)
    case .otherPicture: change(.video)
    case .otherSound: change(.audio)
    }
  }

  private mutating func change(_ kind: TrackKind) {
    version[kind, default: 0] ^= 1
    changes[kind, default: 0] += 1
    if kind == .video { needsKeyframe = true }
    handle(.track(track(kind)))
  }

  private mutating func offer(_ kind: TrackKind, isKeyframe: Bool) {
    if kind == .video { needsKeyframe = false }
    let length = kind == .video ? MediaTime.milliseconds(33) : .milliseconds(21)
    let time = MediaTime(nanoseconds: length.nanoseconds * Int64(offered[kind] ?? 0))
    offered[kind, default: 0] += 1
    let packet = MediaPacket(
      track: kind, decodeTime: time, presentationTime: time, duration: length, isKeyframe: isKeyframe,
      bytes: [version[kind] ?? 0])
    handle(.packet(packet, standstill: .zero))
  }

  mutating func flush() { handle(.flushRequested) }

  mutating func finish() {
    handle(.finishRequested)
    for _ in 0..<3 where !machine.isFinished { handle(.drained) }
  }

  var isFinished: Bool { machine.isFinished }

  private mutating func handle(_ event: RecordingMachine.Event) {
    outcomes.append(event)
    while !outcomes.isEmpty {
      for action in machine.handle(outcomes.removeFirst(), at: now) { follow(action) }
    }
  }

  private mutating func follow(_ action: RecordingMachine.Action) {
    switch action {
    case .measure: outcomes.append(.measured(free: 1 << 40, hasFile: true))
    case .open(let opening, let tracks, _):
      if !files.isEmpty, refusals > 0 {
        refusals -= 1
        let error = SystemError(operation: "open", code: 5)
        return outcomes.append(.operationFailed(RecordingError(path: "next", error)))
      }
      if case .continuing = opening { problems.append("continued a file") }
      files.append(File(tracks: tracks))
      outcomes.append(.opened(path: "\(files.count).mp4"))
    case .write(let packet, let isLate): write(packet, isLate: isLate)
    case .flush: outcomes.append(.flushed)
    case .close: outcomes.append(.closed(bytes: 1))
    case .finishPrevious(let number):
      outcomes.append(.previousFinished(number, .finished(path: "previous", bytes: 1)))
    case .synchronize(let number): outcomes.append(.synchronized(number, nil))
    case .lose(let packet, _): lost[packet.track, default: 0] += 1
    case .report(let event):
      reports.append(event)
      if case .lost(let loss) = event { lost[loss.track, default: 0] += loss.packets }
    case .setTimer(.retry, let delay):
      now = now + delay
      outcomes.append(.timerFired(.retry))
    case .setTimer, .journal, .publish: break
    }
  }

  private mutating func write(_ packet: MediaPacket, isLate: Bool) {
    let index = files.count - (isLate ? 2 : 1)
    guard files.indices.contains(index) else { return problems.append("wrote to no file") }
    let headers = files[index].tracks.first { $0.kind == packet.track }?.headers
    if headers != packet.bytes { problems.append("\(packet.track) in a file with other headers") }
    let isFirst = !files[index].packets.contains { $0.track == packet.track }
    if isFirst, !packet.isKeyframe { problems.append("a file that begins without a keyframe") }
    files[index].packets.append(packet)
    outcomes.append(.written(bytes: files[index].packets.count))
  }

  /// What does not hold at the end.
  var failure: String? {
    if !problems.isEmpty { return "\(problems)" }
    if !isFinished { return "no end" }
    for kind in TrackKind.allCases {
      let written = files.flatMap(\.packets).count { $0.track == kind }
      if written + (lost[kind] ?? 0) != offered[kind] { return "\(kind): \(written) written, lost \(lost)" }
    }
    if files.count > 1 + changes.values.reduce(0, +) { return "\(files.count) files" }
    if changes[.audio] == 0, lost[.audio] != 0 { return "sound is lost for the picture's headers" }
    if changes[.video] ?? 0 < 2, changes[.audio] == 0 || files.count == 1, lost[.video] != 0 {
      return "\(lost) lost for one change"
    }
    return nil
  }
}

@Suite struct HeaderChangeTests {
  private typealias Step = ChangingRecording.Step

  private func recording(_ steps: [Step], refusals: Int = 0, isFinished: Bool = true) -> ChangingRecording {
    var recording = ChangingRecording()
    recording.refusals = refusals
    for step in steps { recording.take(step) }
    if isFinished { recording.finish() }
    return recording
  }

  @Test
  func `any seven steps of a source that changes its headers leave each packet in a fitting file, or told`() {
    var walked = 0
    func walk(_ recording: ChangingRecording, _ depth: Int, _ path: [Step]) -> String? {
      walked += 1
      var ended = recording
      ended.finish()
      if let failure = ended.failure { return "\(failure) after \(path)" }
      guard depth > 0 else { return nil }
      for step in Step.allCases {
        var next = recording
        next.take(step)
        if let failing = walk(next, depth - 1, path + [step]) { return failing }
      }
      return nil
    }
    #expect(walk(recording([.keyframe, .sound, .sound], isFinished: false), 7, []) == nil)
    #expect(walked > 90_000)
  }

  @Test func `other headers of the picture begin the next file with the keyframe, and nothing is lost`() {
    let recording = recording([.keyframe, .sound, .sound, .otherPicture, .keyframe, .picture, .sound, .sound])
    #expect((recording.failure, recording.lost) == (nil, [.video: 0, .audio: 0]))
    #expect(recording.files.map { $0.packets.count { $0.track == .video } } == [1, 2])
    #expect(recording.files.last?.packets.first?.isKeyframe == true)
  }

  @Test(
    arguments: [
      [.otherPicture, .keyframe, .otherSound, .sound, .sound, .picture],
      [.otherSound, .otherPicture, .keyframe, .sound, .sound, .picture],
    ] as [[ChangingRecording.Step]])
  func `picture and sound that change together need one file`(change: [ChangingRecording.Step]) {
    let recording = recording([.keyframe, .sound] + change)
    #expect((recording.failure, recording.files.count) == (nil, 2))
  }

  @Test func `sound alone changes with the next keyframe, and what comes before that is told as one loss`() {
    let recording = recording([
      .keyframe, .sound, .otherSound, .sound, .picture, .sound, .keyframe, .sound, .sound, .picture,
    ])
    #expect((recording.failure, recording.files.count) == (nil, 2))
    let losses = recording.reports.count { if case .lost = $0 { true } else { false } }
    #expect((recording.lost, losses) == ([.video: 0, .audio: 3], 1))
  }

  @Test func `silence does not hold up the next file for longer than half a second`() {
    let steps = [.keyframe, .sound, .otherPicture, .keyframe] + Array(repeating: Step.picture, count: 16)
    let waiting = recording(steps, isFinished: false)
    #expect(waiting.files.count == 2 && waiting.files.last?.packets.count == 17)
  }

  @Test func `a pause writes what has waited, and is told when that is on the disk`() {
    var recording = recording([.keyframe, .sound, .otherPicture, .keyframe], isFinished: false)
    #expect(recording.files.count == 1)
    recording.flush()
    #expect(recording.files.last?.packets.count == 1 && recording.files.count == 2)
    #expect(recording.reports.last == .flushed)
  }

  @Test func `headers that are back before a keyframe change nothing`() {
    let recording = recording([
      .keyframe, .sound, .otherSound, .sound, .otherSound, .sound, .keyframe, .sound,
    ])
    #expect((recording.failure, recording.files.count, recording.lost[.audio]) == (nil, 1, 1))
  }

  @Test(arguments: 1...3)
  func `a disk that refuses the next file is tried again, and the old file gets nothing`(refusals: Int) {
    let steps: [Step] = [.keyframe, .sound, .otherPicture, .keyframe, .sound, .picture, .sound, .sound]
    let recording = recording(steps, refusals: refusals)
    #expect((recording.failure, recording.files.count) == (nil, 2))
    #expect(recording.lost == [.video: 0, .audio: 0])
  }
}
