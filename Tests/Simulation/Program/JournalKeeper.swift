import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastRecording
import TestVirtualTime

/// Writes a broadcast's journal to the simulated disk, with the program's own entries.
///
/// Of consecutive checkpoints only the last one is written.
final class JournalKeeper {
  private let process: SimulatedProcess
  private let file: JournalFile
  private var filter: JournalFilter
  /// The broadcast whose media time is written in checkpoints.
  weak var broadcast: SimulatedBroadcast?

  /// The time until a transition is on the disk; other entries wait for the kernel's write-back.
  private static let syncTime: Int64 = .ms(10)
  static let writeBack: Int64 = .s(5)

  init(_ process: SimulatedProcess, _ file: JournalFile, resuming broadcast: UnfinishedBroadcast?) {
    self.process = process
    self.file = file
    filter = JournalFilter(resuming: broadcast)
  }

  private var world: World { process.world }
  private var host: Host { process.host }
  private var disk: Disk { process.disk }

  func write(_ entry: JournalEntry, _ instant: JournalInstant? = nil) {
    checkpoint(at: world.now)
    if entry.isEnd { file.endedAt = host.instant }
    put(entry, at: world.now, instant ?? host.instant)
  }

  private func put(_ entry: JournalEntry, at time: Int64, _ instant: JournalInstant) {
    for entry in filter.admit(entry, at: instant.sinceBoot) {
      let line = Array(JournalRecord(at: instant, entry).description.utf8) + [0x0A]
      guard disk.takesLines else {
        if entry.isTransition || disk.state == .hung { file.wait(line, isEnd: entry.isEnd) }
        continue
      }
      file.writeWaiting(at: time)
      file.append(line, onDiskBy: time + syncTime(of: entry), isEnd: entry.isEnd)
    }
  }

  private func syncTime(of entry: JournalEntry) -> Int64 {
    // Most of the omitted checkpoints before it are on the disk.
    if case .checkpoint = entry { return 0 }
    return entry.isTransition ? Self.syncTime : Self.writeBack
  }

  func checkpoint(at time: Int64) {
    guard disk.takesLines, !file.isEnded, let clock = broadcast?.clock, let runsSince = clock.runsSince,
      let due = filter.nextCheckpoint
    else { return }
    let passed = (host.instant(at: time).sinceBoot - due).nanoseconds
    guard passed >= 0 else { return }
    let at = max(runsSince, time - passed % JournalFilter.checkpointInterval.nanoseconds)
    put(.checkpoint(MediaTime(nanoseconds: clock.end(at: at))), at: at, host.instant(at: at))
  }
}

extension JournalEntry {
  fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
