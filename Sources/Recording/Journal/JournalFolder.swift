package import HoldfastMediaModel
import HoldfastPlatform

/// The journals of one name. Holds a lock against other processes of that name while it exists.
package final class JournalFolder: Sendable {
  package let name: String
  package var path: String { folder.path }
  let folder: Folder
  private let lock: FileLock

  static let capacity = 20
  /// Limit for reading; the writer stays well below it.
  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package convenience init(name: String, environment: [String: String]) throws(JournalError) {
    try self.init(name: name, path: try JournalPath.resolve(name: name, environment: environment))
  }

  package init(name: String, path: String) throws(JournalError) {
    self.name = name
    folder = try mapError(Folder(private: path)) { (error: SystemError) in
      JournalError(
        .system, "\(path): \(error)",
        hint: "check its permissions, or set XDG_STATE_HOME to a writable folder")
    }
    do throws(FileLock.Failure) {
      lock = try FileLock(folder.file("lock"))
    } catch {
      throw JournalError(error, name: name, path: path)
    }
  }

  /// Ids of the broadcasts that have a journal, oldest first.
  package func broadcasts() throws(JournalError) -> [String] {
    try named(path) { () throws(SystemError) in
      try folder.names().filter { $0.hasSuffix(Self.fileEnd) }.map { String($0.dropLast(Self.fileEnd.count)) }
    }
  }

  package func journal(of broadcast: String) throws(JournalError) -> Journal {
    let file = try self.file(of: broadcast)
    return try named(folder.file(file)) { () throws(SystemError) in
      Journal(try FileDescriptor.contents(of: folder.file(file), limit: Self.sizeLimit))
    }
  }

  package struct Contents: Sendable {
    /// Latest first.
    package fileprivate(set) var unfinished: [UnfinishedBroadcast] = []
    /// When the others ended.
    package fileprivate(set) var ends: [JournalInstant] = []
    /// Ends whose event may be missing.
    package fileprivate(set) var unreported: [(broadcast: String, ending: JournalEntry.Ending)] = []
  }

  /// Skips unreadable journals.
  package func contents(problem: (JournalError) -> Void = { _ in }) throws(JournalError) -> Contents {
    var contents = Contents()
    for broadcast in try broadcasts() {
      do throws(JournalError) {
        if let end = try end(of: broadcast) {
          contents.ends.append(end.at)
          if let ending = end.unreported { contents.unreported.append((broadcast, ending)) }
        } else {
          let journal = try journal(of: broadcast)
          if journal.beginning == nil { throw try setAside(broadcast, journal) }
          if let found = UnfinishedBroadcast(journal) { contents.unfinished.append(found) }
        }
      } catch {
        problem(error)
      }
    }
    contents.unfinished = UnfinishedBroadcast.latestFirst(
      contents.unfinished, boot: JournalInstant.now().bootID)
    return contents
  }

  /// Renames a journal without a readable beginning, so that it is told once and kept.
  private func setAside(_ broadcast: String, _ journal: Journal) throws(JournalError) -> JournalError {
    let file = try file(of: broadcast)
    let kept = file + ".damaged"
    try named(folder.file(file)) { () throws(SystemError) in try folder.replace(kept, by: file) }
    let isEmpty = journal.records.isEmpty && journal.garbledLines == 0 && !journal.isTorn
    return JournalError(
      .system, "\(folder.file(file)) \(isEmpty ? "is empty" : "is damaged") (now \(kept))",
      hint: "its broadcast can't be resumed; its recordings stay as they are")
  }

  /// Creates a journal, and removes the oldest ones above the capacity.
  package func begin(_ broadcast: String) throws(JournalError) -> JournalWriter {
    let file = try self.file(of: broadcast)
    guard !fileExists(folder.file(file)) else {
      throw JournalError(.badName, "\(folder.file(file)) already exists", hint: "choose another id")
    }
    let writer = try JournalWriter(file: file, in: self)
    removeOld(but: broadcast)
    return writer
  }

  package func resume(_ broadcast: String) throws(JournalError) -> JournalWriter {
    try JournalWriter(file: try file(of: broadcast), in: self)
  }

  /// Lets the next process of this name continue a broadcast that another one published until `since`, perhaps elsewhere;
  /// one that is unfinished here is continued anyway.
  package func takeOver(
    _ broadcast: String, at mediaTime: MediaTime, since: JournalInstant
  ) throws(JournalError) {
    guard try contents().unfinished.isEmpty else { return }
    let known = try broadcasts()
    let id = known.contains(broadcast) ? "\(broadcast)-\(known.count + 1)" : broadcast
    var writer = try begin(id)
    try writer.write(.began(.init(broadcast: id, name: name)), at: since)
    try writer.write(.live(.append), at: since)
    try writer.write(.checkpoint(mediaTime), at: since)
    try writer.write(
      .interrupted(cause: Gap.Cause.worker.rawValue, mediaAt: mediaTime, resumableUntil: nil), at: since)
  }

  private func file(of broadcast: String) throws(JournalError) -> String {
    try JournalPath.checkPart(broadcast, "the id")
    return broadcast + Self.fileEnd
  }

  /// When the broadcast ended, from the last lines alone; nil if it has not.
  private func end(
    of broadcast: String
  ) throws(JournalError) -> (at: JournalInstant, unreported: JournalEntry.Ending?)? {
    let path = folder.file(try file(of: broadcast))
    let tail = try named(path) { () throws(SystemError) in
      let file = try FileDescriptor.openForUpdating(path)
      let size = try file.size()
      return try file.bytes(min(size, 4096), at: max(0, size - 4096))
    }
    let last = Journal(Array(tail.split(separator: 0x0A).suffix(2).joined(separator: [0x0A]))).records
    return switch (last.first?.entry, last.last?.entry) {
    case (.ended, .reported): last.first.map { ($0.instant, nil) }
    case (_, .ended(let ending)): last.last.map { ($0.instant, ending.duration == nil ? nil : ending) }
    default: nil
    }
  }

  /// Ids begin with the time, so their order is chronological unless the clock was set.
  private func removeOld(but current: String) {
    guard let broadcasts = try? broadcasts().filter({ $0 != current }) else { return }
    for broadcast in broadcasts.dropLast(Self.capacity - 1) {
      try? folder.remove(broadcast + Self.fileEnd)
    }
  }
}

/// Where the journals of a name are.
package enum JournalPath {
  /// The folder `name` in the state folder.
  package static func resolve(name: String, environment: [String: String]) throws(JournalError) -> String {
    try checkPart(name, "the name")
    if let folder = StateFolder.path(environment) { return "\(folder)/\(name)" }
    throw JournalError(
      .noFolder, "no folder for the journal is configured",
      hint: "set HOME or XDG_STATE_HOME, or StateDirectory= in the systemd unit")
  }

  /// Rejects text that is unsafe as a file name.
  static func checkPart(_ text: String, _ what: String) throws(JournalError) {
    let isPlain = text.utf8.allSatisfy { $0 != 0x2F && $0 >= 0x20 && $0 != 0x7F }
    guard (1...128).contains(text.utf8.count), isPlain, text.utf8.first != 0x2E else {
      throw JournalError(
        .badName, "\(what) \(text.debugDescription) can't be part of a file name",
        hint: "use letters, digits, - and _")
    }
  }
}
