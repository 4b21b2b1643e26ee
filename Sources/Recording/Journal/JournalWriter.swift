internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Writes a journal, a line at a time, each with a write of its own: what was written outlives the process.
///
/// A write that fails is thrown and made up for with the next one, in order.
package struct JournalWriter: ~Copyable, Sendable {
  /// Keeps the lock.
  private let folder: JournalFolder
  private let name: String
  private var file: FileDescriptor
  /// Where the next line goes. What a failed write has left behind it is written over.
  private var end: Int
  /// Lines that the disk would not take, and which a start needs.
  private var unwritten: [UInt8] = []
  private var lastCheckpoint: MediaTime?
  private var thinAt: Int

  static let checkpointInterval = MediaTime.seconds(1)
  /// How much may come until old checkpoints are taken out: some seven minutes of them.
  static let thinningInterval = 64 * 1024
  /// From here on gaps are refused.
  static let sizeLimit = 2 << 20
  private static let unwrittenLimit = 64 * 1024
  private static let thinnedName = "thinned"

  /// Opens the file `name` in `folder`, or makes it.
  init(file name: String, in folder: JournalFolder) throws(JournalError) {
    let path = folder.folder.file(name)
    do throws(SystemError) {
      let file = try FileDescriptor.openForUpdating(path)
      let size = try file.size()
      // A torn line stays where it is, and stays one line.
      let last = try file.bytes(1, at: max(0, size - 1))
      try folder.folder.synchronize()
      self.folder = folder
      self.name = name
      self.file = file
      end = size
      unwritten = last.isEmpty || last == [0x0A] ? [] : [0x0A]
      thinAt = size + Self.thinningInterval
    } catch {
      throw JournalError(path, error)
    }
  }

  package var path: String { folder.folder.file(name) }

  /// Writes `entry`. With `sync` it is on the disk when this returns; transitions are, where it isn't said otherwise. A
  /// checkpoint less than a second after the last one is left out.
  package mutating func write(
    _ entry: JournalEntry, at instant: JournalInstant = .now(), sync: Bool? = nil
  ) throws(JournalError) {
    guard try isWanted(entry, at: instant) else { return }
    let line = JournalRecord(at: instant, entry).line
    let wasFailing = !unwritten.isEmpty
    try add(line, isNeeded: entry.isTransition)
    if sync ?? entry.isTransition || wasFailing {
      try named(path) { () throws(SystemError) in try file.synchronize() }
    }
    if end >= thinAt { try named(path) { () throws(SystemError) in try thin() } }
  }

  private mutating func add(_ line: [UInt8], isNeeded: Bool) throws(JournalError) {
    let bytes = unwritten + line
    do throws(SystemError) {
      try file.write(bytes, at: end)
      end += bytes.count
      unwritten = []
    } catch {
      if isNeeded, bytes.count <= Self.unwrittenLimit { unwritten = bytes }
      // Where even this fails, the next line is written over it.
      try? file.truncate(to: end)
      throw JournalError(path, error)
    }
  }

  /// Takes out each checkpoint that another one follows, and what was muted before, by way of a second file, so that there is
  /// a whole journal at any moment. What something else follows says when a crash was.
  private mutating func thin() throws(SystemError) {
    thinAt = end + Self.thinningInterval
    let lines = Self.withoutOldMutes(try file.bytes(end, at: 0).split(separator: 0x0A))
    let isCheckpoint = lines.map { $0.starts(with: JournalRecord.checkpointHead) } + [false]
    let kept = lines.indices.filter { !isCheckpoint[$0] || !isCheckpoint[$0 + 1] }.flatMap {
      lines[$0] + [0x0A]
    }
    let place = folder.folder
    let thinned = try FileDescriptor.openForUpdating(place.file(Self.thinnedName))
    try thinned.truncate(to: 0)
    try thinned.write(kept, at: 0)
    try thinned.synchronize()
    try place.replace(name, by: Self.thinnedName)
    file = thinned
    end = kept.count
    thinAt = end + Self.thinningInterval
    try place.synchronize()
  }

  /// Without those that a later one follows, and a checkpoint or another one right away.
  private static func withoutOldMutes(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let isMute = lines.map { $0.starts(with: JournalRecord.mutedHead) }
    guard let last = isMute.lastIndex(of: true) else { return lines }
    return lines.indices.filter { index in
      guard isMute[index], index < last else { return true }
      return !isMute[index + 1] && !lines[index + 1].starts(with: JournalRecord.checkpointHead)
    }.map { lines[$0] }
  }

  private mutating func isWanted(_ entry: JournalEntry, at instant: JournalInstant) throws(JournalError)
    -> Bool
  {
    switch entry {
    case .checkpoint:
      if let last = lastCheckpoint, instant.sinceBoot - last < Self.checkpointInterval { return false }
      lastCheckpoint = instant.sinceBoot
      return true
    case .gap:
      guard end < Self.sizeLimit else {
        throw JournalError(.full, "\(path) is full", hint: "further gaps are told in events only")
      }
      return true
    case .began, .recording, .live, .outputAccepted, .interrupted, .resumed, .session, .muted, .gate,
      .backgrounded, .ended:
      return true
    }
  }
}
