internal import HoldfastRecording

/// The disk: journals as bytes, recordings as stretches of what was captured.
final class Disk {
  enum State: Hashable {
    case good
    /// It takes that many hundredths of what a broadcast makes.
    case slow(Int64)
    /// It answers nothing.
    case hung
    case full
    /// Every write fails.
    case broken
  }

  private unowned let world: World
  /// When the kernel has written what nobody has put on the disk, at the latest.
  private static let writeBack: Int64 = .s(5)
  private(set) var state = State.good
  private(set) var trouble = Trouble()
  private(set) var journals: [String: JournalFile] = [:]
  private var open: [(id: String, file: JournalFile)] = []
  /// When broadcasts have ended, as their journals say it.
  private(set) var ends: [JournalInstant] = []
  private(set) var recordings: [String: [RecordingFile]] = [:]
  /// Who writes there, and wants to know.
  var watcher: (() -> Void)?
  /// Has to write what it still can before the state changes.
  var beforeChange: (() -> Void)?

  init(_ world: World) {
    self.world = world
  }

  /// Whether journals can be written: they are small, so a slow disk is good enough.
  var takesLines: Bool {
    switch state {
    case .good, .slow: true
    case .hung, .full, .broken: false
    }
  }

  /// What is there can be read.
  var isReadable: Bool {
    switch state {
    case .good, .slow, .full: true
    case .hung, .broken: false
    }
  }

  func hadTrouble(within length: Int64) -> Bool {
    trouble.touched((world.now - length)..<(world.now + 1))
  }

  func set(_ new: State) {
    guard new != state else { return }
    beforeChange?()
    world.note("disk: \(new)")
    state = new
    trouble.set(new != .good, at: world.now)
    watcher?()
  }

  func journal(of broadcast: String) -> JournalFile {
    if let file = journals[broadcast] { return file }
    let file = JournalFile()
    journals[broadcast] = file
    open.append((broadcast, file))
    return file
  }

  /// Those without an end.
  func unfinished() -> [(id: String, file: JournalFile)] {
    guard open.contains(where: \.file.isEnded) else { return open }
    ends += open.filter(\.file.isEnded).compactMap(\.file.endedAt)
    open.removeAll { $0.file.isEnded }
    return open
  }

  func makeRecording(of broadcast: String) -> RecordingFile {
    let file = RecordingFile()
    recordings[broadcast, default: []].append(file)
    return file
  }

  /// What had not been put on the disk is gone.
  func loseUnwritten() {
    for (_, journal) in unfinished() { journal.cut(at: world.now, &world.randomness) }
    for file in recordings.values.joined() { file.cut(to: world.now - Self.writeBack) }
  }
}

/// A journal's bytes, and how much of them would outlive a power cut.
final class JournalFile {
  private(set) var bytes: [UInt8] = []
  private var lines: [(start: Int, writtenBy: Int64)] = []
  /// Lines that the disk has not taken, as the process keeps them.
  private(set) var waiting: [[UInt8]] = []
  private var endWaits = false
  var endedAt: JournalInstant?
  private(set) var isEnded = false

  /// `isEnd` tells the last line, behind which there is nothing to do.
  func append(_ line: [UInt8], onDiskBy: Int64, isEnd: Bool = false) {
    isEnded = isEnded || isEnd
    lines.append((bytes.count, onDiskBy))
    bytes += line
  }

  /// The disk takes lines again.
  func writeWaiting(at now: Int64) {
    for line in waiting { append(line, onDiskBy: now + .ms(10)) }
    isEnded = isEnded || endWaits
    forgetWaiting()
  }

  func wait(_ line: [UInt8], isEnd: Bool) {
    waiting.append(line)
    endWaits = endWaits || isEnd
  }

  func forgetWaiting() {
    waiting = []
    endWaits = false
  }

  /// There is nothing to do about it.
  func leave() {
    isEnded = true
  }

  /// A line behind a torn one begins as a line of its own.
  func reopen() {
    forgetWaiting()
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
  }

  /// The first line that was not yet on the disk is torn, and what came behind it is gone.
  func cut(at now: Int64, _ randomness: inout SplitMix64) {
    // What puts a line on the disk puts those before it there, too.
    let first = (lines.lastIndex { $0.writtenBy <= now } ?? -1) + 1
    guard first < lines.count else { return }
    let end = first + 1 < lines.count ? lines[first + 1].start : bytes.count
    let start = lines[first].start
    bytes.removeSubrange((start + randomness.below(end - start + 1))...)
    lines.removeSubrange((bytes.count > start ? first + 1 : first)...)
  }
}

/// A recording's file: what was captured, and where on the media time line it stands.
final class RecordingFile {
  private struct Piece {
    let captured: Range<Int64>
    let media: Int64
  }

  private var pieces: [Piece] = []
  /// What was captured until then has been put on the disk.
  private(set) var flushedUntil: Int64 = 0
  private(set) var writtenAt: Int64 = 0
  private(set) var isFinished = false

  var captured: Spans { Spans(pieces.map(\.captured)) }
  var mediaEnd: Int64 { pieces.last.map { $0.media + $0.captured.length } ?? 0 }

  /// False where the file's time line would go back.
  func append(_ captured: Range<Int64>, media: Int64, at now: Int64) -> Bool {
    writtenAt = now
    let isInOrder = media >= mediaEnd && !isFinished
    pieces.append(Piece(captured: captured, media: media))
    return isInOrder
  }

  func flush(until time: Int64) {
    flushedUntil = max(flushedUntil, time)
  }

  func finish() {
    isFinished = true
  }

  /// It is appended to again, also where it had been finished.
  func reopen() {
    isFinished = false
  }

  func cut(to limit: Int64) {
    let limit = max(limit, flushedUntil)
    while let last = pieces.last, last.captured.upperBound > limit {
      pieces.removeLast()
      guard last.captured.lowerBound < limit else { continue }
      pieces.append(Piece(captured: last.captured.lowerBound..<limit, media: last.media))
    }
  }
}
