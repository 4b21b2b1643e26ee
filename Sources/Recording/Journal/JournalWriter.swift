import HoldfastMediaModel
import HoldfastPlatform

/// Writes a journal line by line, unbuffered, so that each line survives the process.
///
/// A failed write throws; a failed transition is written again with the next entry.
package struct JournalWriter: ~Copyable, Sendable {
  private let folder: JournalFolder
  private let name: String
  private var file: FileDescriptor
  /// Where the next line goes, over the remains of a failed write.
  private var end: Int
  /// Transitions that could not be written yet.
  private var unwritten: [UInt8] = []
  private var nextCompaction: Int

  /// Growth after which old checkpoints are removed: some seven minutes of them, or ten seconds while an output is behind.
  static let compactionInterval = 64 * 1024
  /// Growth of one file, with the line after which it is compacted.
  private static let maxGrowth = 2 * compactionInterval
  /// Gaps are refused above this size.
  static let sizeLimit = 2 << 20
  private static let unwrittenLimit = 64 * 1024
  private static let temporaryName = "thinned"

  init(file name: String, in folder: JournalFolder) throws(JournalError) {
    let path = folder.folder.file(name)
    do throws(SystemError) {
      let file = try FileDescriptor.openForUpdating(path)
      let size = try file.size()
      // Ends a torn line, so that the next entry is on a line of its own.
      let last = try file.bytes(1, at: max(0, size - 1))
      // Frees what a crash has left allocated beyond the end.
      try file.truncate(to: size)
      if file.allocateOnFAT(to: size + Self.maxGrowth) { try file.synchronize() }
      try folder.folder.synchronize()
      self.folder = folder
      self.name = name
      self.file = file
      end = size
      unwritten = last.isEmpty || last == [0x0A] ? [] : [0x0A]
      nextCompaction = size + Self.compactionInterval
    } catch {
      throw JournalError(path, error)
    }
  }

  package var path: String { folder.folder.file(name) }

  /// With `sync` (the default for transitions) the entry is on disk on return.
  package mutating func write(
    _ entry: JournalEntry, at instant: JournalInstant = .now(), sync: Bool? = nil
  ) throws(JournalError) {
    if case .gap = entry, end >= Self.sizeLimit {
      throw JournalError(.full, "\(path) is full", hint: "further gaps are reported in events only")
    }
    let line = JournalRecord(at: instant, entry).line
    let wasFailing = !unwritten.isEmpty
    try add(line, isNeeded: entry.isTransition)
    if sync ?? entry.isTransition || wasFailing {
      try named(path) { () throws(SystemError) in try file.synchronize() }
    }
    if end >= nextCompaction { try named(path) { () throws(SystemError) in try compact() } }
  }

  private mutating func add(_ line: [UInt8], isNeeded: Bool) throws(JournalError) {
    let bytes = unwritten + line
    do throws(SystemError) {
      try file.write(bytes, at: end)
      end += bytes.count
      unwritten = []
    } catch {
      if isNeeded, bytes.count <= Self.unwrittenLimit { unwritten = bytes }
      // If this fails, too, the next line overwrites the rest.
      try? file.truncate(to: end)
      throw JournalError(path, error)
    }
  }

  /// Removes checkpoints that another one follows, and old mutes, by atomically replacing the file. A
  /// checkpoint before another entry stays: it dates a crash.
  private mutating func compact() throws(SystemError) {
    nextCompaction = end + Self.compactionInterval
    let lines = Self.withoutOldMutes(try file.bytes(end, at: 0).split(separator: 0x0A))
    let isCheckpoint = lines.map { $0.starts(with: JournalRecord.checkpointHead) } + [false]
    let kept = lines.indices.filter { !isCheckpoint[$0] || !isCheckpoint[$0 + 1] }.flatMap {
      lines[$0] + [0x0A]
    }
    let compacted = try FileDescriptor.openForUpdating(folder.folder.file(Self.temporaryName))
    try compacted.truncate(to: 0)
    try compacted.write(kept, at: 0)
    _ = compacted.allocateOnFAT(to: kept.count + Self.maxGrowth)
    try compacted.synchronize()
    try folder.folder.replace(name, by: Self.temporaryName)
    file = compacted
    end = kept.count
    nextCompaction = end + Self.compactionInterval
    try folder.folder.synchronize()
  }

  /// Removes mutes before the last one that a mute or a checkpoint follows directly, but for the first one of the picture:
  /// it says that black pictures are meant to be there.
  private static func withoutOldMutes(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let isMute = lines.map { $0.starts(with: JournalRecord.mutedHead) }
    guard let last = isMute.lastIndex(of: true) else { return lines }
    let black = lines.indices.first {
      isMute[$0] && String(decoding: lines[$0], as: UTF8.self).contains(#""video""#)
    }
    return lines.indices.filter { index in
      guard isMute[index], index < last, index != black else { return true }
      return !isMute[index + 1] && !lines[index + 1].starts(with: JournalRecord.checkpointHead)
    }.map { lines[$0] }
  }
}
