import HoldfastRecording
import TestRandomness
import TestVirtualTime

/// A disk with journals as bytes and recordings as ranges of captured media.
final class Disk {
  enum State: Hashable {
    case good
    /// The write rate, in percent of the broadcast's bitrate.
    case slow(Int64)
    /// Never completes a call.
    case hung
    case full
    case broken
  }

  private unowned let world: World
  /// The longest time until the kernel writes back unsynchronized data.
  private static let writeBack: Int64 = .s(5)
  private(set) var state = State.good
  private(set) var trouble = Trouble()
  private(set) var journals: [String: JournalFile] = [:]
  private var open: [(id: String, file: JournalFile)] = []
  private(set) var ends: [JournalInstant] = []
  private(set) var recordings: [String: [RecordingFile]] = [:]
  var watcher: (() -> Void)?
  /// Called before the state changes, to write what is still possible.
  var beforeChange: (() -> Void)?

  private(set) var lastWord: LastWord?
  private var offAirKeptAt: Int64? = -.s(1)

  init(_ world: World) { self.world = world }

  /// Whether journal entries can be written; they are small enough for a slow disk.
  var takesLines: Bool {
    switch state {
    case .good, .slow: true
    case .hung, .full, .broken: false
    }
  }

  var isReadable: Bool {
    switch state {
    case .good, .slow, .full: true
    case .hung, .broken: false
    }
  }

  func hadTrouble(within length: Int64) -> Bool { trouble.touched((world.now - length)..<(world.now + 1)) }

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

  func unfinished() -> [(id: String, file: JournalFile)] {
    guard open.contains(where: \.file.isEnded) else { return open }
    ends += open.filter(\.file.isEnded).compactMap(\.file.endedAt)
    open.removeAll { $0.file.isEnded }
    return open
  }

  /// Written at once and safe from a power failure, if the disk accepts it.
  func keep(_ word: LastWord) {
    offAirKeptAt = takesLines ? world.now : nil
    if takesLines { lastWord = word }
  }

  /// What the process last wanted to keep is on disk, and so is the journal's entry about it.
  var isOffAirSure: Bool { offAirKeptAt.map { world.now - $0 > .ms(50) } ?? false }

  func makeRecording(of broadcast: String) -> RecordingFile {
    let file = RecordingFile()
    recordings[broadcast, default: []].append(file)
    return file
  }

  func loseUnwritten() {
    for (_, journal) in unfinished() { journal.cut(at: world.now, &world.randomness) }
    for file in recordings.values.joined() { file.cut(to: world.now - Self.writeBack) }
  }
}

/// The bytes of a journal, and when each line is safe from a power failure.
final class JournalFile {
  private(set) var bytes: [UInt8] = []
  private var lines: [(start: Int, writtenBy: Int64)] = []
  /// Lines that the process keeps until the disk accepts them.
  private(set) var waiting: [[UInt8]] = []
  private var endWaits = false
  var endedAt: JournalInstant?
  private(set) var isEnded = false

  /// `isEnd` marks the last line of a finished broadcast.
  func append(_ line: [UInt8], onDiskBy: Int64, isEnd: Bool = false) {
    isEnded = isEnded || isEnd
    lines.append((bytes.count, onDiskBy))
    bytes += line
  }

  /// Writes the waiting lines once the disk accepts them.
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

  func leave() { isEnded = true }

  /// Terminates a torn line before new ones are appended.
  func reopen() {
    forgetWaiting()
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
  }

  /// Tears the first unsynchronized line and removes all later ones.
  func cut(at now: Int64, _ randomness: inout SplitMix64) {
    // Synchronizing a line includes all lines before it.
    let first = (lines.lastIndex { $0.writtenBy <= now } ?? -1) + 1
    guard first < lines.count else { return }
    let end = first + 1 < lines.count ? lines[first + 1].start : bytes.count
    let start = lines[first].start
    bytes.removeSubrange((start + randomness.below(end - start + 1))...)
    lines.removeSubrange((bytes.count > start ? first + 1 : first)...)
  }
}

/// The file of a recording: ranges of captured media and their media times.
final class RecordingFile {
  private var pieces: [(captured: Range<Int64>, media: Int64)] = []
  /// Media captured until then is safe on the disk.
  private(set) var flushedUntil: Int64 = 0
  private(set) var writtenAt: Int64 = 0
  private(set) var isFinished = false

  var captured: Spans { Spans(pieces.map(\.captured)) }
  var mediaEnd: Int64 { pieces.last.map { $0.media + $0.captured.length } ?? 0 }

  /// False if media time would go backwards or the file is finished.
  func append(_ captured: Range<Int64>, media: Int64, at now: Int64) -> Bool {
    writtenAt = now
    let isInOrder = media >= mediaEnd && !isFinished
    pieces.append((captured, media))
    return isInOrder
  }

  func flush(until time: Int64) { flushedUntil = max(flushedUntil, time) }

  func finish() { isFinished = true }

  func reopen() { isFinished = false }

  func cut(to limit: Int64) {
    let limit = max(limit, flushedUntil)
    while let last = pieces.last, last.captured.upperBound > limit {
      pieces.removeLast()
      guard last.captured.lowerBound < limit else { continue }
      pieces.append((last.captured.lowerBound..<limit, last.media))
    }
  }
}
