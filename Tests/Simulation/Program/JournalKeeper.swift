internal import HoldfastMediaModel
internal import HoldfastRecording

/// Writes a broadcast's journal into the simulated disk, in the lines of the real one.
///
/// A checkpoint that another one follows may be left out of a journal, so only the last before each line is written.
final class JournalKeeper {
  private let world: World
  private let host: Host
  private let disk: Disk
  private let file: JournalFile
  /// Where media time stands; nil while it stands still.
  private let mediaTime: (Int64) -> Int64?

  private var lastCheckpoint: Int64 = 0

  private static let checkpointInterval: Int64 = .s(1)
  /// A transition is on the disk after this time, the rest when the kernel comes to it.
  private static let syncTime: Int64 = .ms(10)
  static let writeBack: Int64 = .s(5)

  init(_ world: World, _ host: Host, _ disk: Disk, file: JournalFile, mediaTime: @escaping (Int64) -> Int64?)
  {
    self.world = world
    self.host = host
    self.disk = disk
    self.file = file
    self.mediaTime = mediaTime
  }

  func write(_ entry: JournalEntry) {
    checkpoint(at: world.now)
    if entry.isEnd { file.endedAt = host.instant }
    put(entry, at: world.now)
  }

  /// Media time runs from now on.
  func beginCheckpoints() {
    lastCheckpoint = world.now
  }

  func write(crashAt instant: JournalInstant, mediaAt: MediaTime) {
    let entry = JournalEntry.interrupted(
      cause: Interruption.crash, mediaAt: mediaAt, resumableUntil: nil)
    put(entry, at: world.now, instant)
  }

  private func put(_ entry: JournalEntry, at time: Int64, _ instant: JournalInstant? = nil) {
    let line = Array(JournalRecord(at: instant ?? host.instant(at: time), entry).description.utf8) + [0x0A]
    guard disk.takesLines else {
      if entry.isTransition || disk.state == .hung { file.wait(line, isEnd: entry.isEnd) }
      return
    }
    file.writeWaiting(at: time)
    file.append(line, onDiskBy: time + syncTime(of: entry), isEnd: entry.isEnd)
  }

  private func syncTime(of entry: JournalEntry) -> Int64 {
    // The ones before it that were not written are on the disk, most of them.
    if case .checkpoint = entry { return 0 }
    return entry.isTransition ? Self.syncTime : Self.writeBack
  }

  /// The last checkpoint that was due.
  func checkpoint(at time: Int64) {
    guard disk.takesLines, let media = mediaTime(time), !file.isEnded else { return }
    let passed = time - lastCheckpoint
    guard passed >= Self.checkpointInterval else { return }
    let late = passed % Self.checkpointInterval
    lastCheckpoint = time - late
    put(.checkpoint(MediaTime(nanoseconds: media - late)), at: time - late)
  }
}

extension JournalEntry {
  fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
