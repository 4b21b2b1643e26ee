internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The journals of one name, held against a second process of that name for as long as this object lives.
package final class JournalFolder: Sendable {
  package var path: String { folder.path }
  let folder: Folder
  private let lock: FileLock

  /// How many journals are kept.
  static let capacity = 20
  /// What a start reads of one journal; the writer keeps well below.
  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package convenience init(name: String, environment: [String: String]) throws(JournalError) {
    try self.init(name: name, path: try JournalPlace.path(name: name, environment: environment))
  }

  /// Makes the folder where it isn't there.
  package init(name: String, path: String) throws(JournalError) {
    do throws(SystemError) {
      folder = try Folder(private: path)
    } catch {
      throw JournalError(
        .system, "\(path): \(error)",
        hint: "see to its rights, or set XDG_STATE_HOME to a folder that can be written")
    }
    do throws(FileLock.Failure) {
      lock = try FileLock(folder.file("lock"))
    } catch {
      throw JournalError(error, name: name, path: path)
    }
  }

  /// The ids of the broadcasts that have a journal here, the oldest first.
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

  /// The broadcasts that something is left to do about, the latest first, and when the others have ended. A journal that
  /// can't be read is told, and holds up nobody.
  package func contents(
    problem: (JournalError) -> Void = { _ in }
  ) throws(JournalError) -> (unfinished: [UnfinishedBroadcast], ends: [JournalInstant]) {
    var unfinished: [UnfinishedBroadcast] = []
    var ends: [JournalInstant] = []
    for broadcast in try broadcasts() {
      do throws(JournalError) {
        if let end = try end(of: broadcast) {
          ends.append(end)
        } else if let found = UnfinishedBroadcast(try journal(of: broadcast)) {
          unfinished.append(found)
        }
      } catch {
        problem(error)
      }
    }
    return (UnfinishedBroadcast.latestFirst(unfinished, boot: JournalInstant.now().bootID), ends)
  }

  /// Begins a journal, and removes those that are too many.
  package func begin(_ broadcast: String) throws(JournalError) -> JournalWriter {
    let file = try self.file(of: broadcast)
    guard !fileExists(folder.file(file)) else {
      throw JournalError(
        .badName, "\(folder.file(file)) is there already", hint: "give each broadcast an id of its own")
    }
    let writer = try JournalWriter(file: file, in: self)
    removeOld(but: broadcast)
    return writer
  }

  /// Goes on with a journal that is there.
  package func resume(_ broadcast: String) throws(JournalError) -> JournalWriter {
    try JournalWriter(file: try file(of: broadcast), in: self)
  }

  private func file(of broadcast: String) throws(JournalError) -> String {
    try JournalPlace.checkPart(broadcast, "the id")
    return broadcast + Self.fileEnd
  }

  /// When it ended, from the last line alone; nil where that says something else.
  private func end(of broadcast: String) throws(JournalError) -> JournalInstant? {
    let path = folder.file(try file(of: broadcast))
    let tail = try named(path) { () throws(SystemError) in
      let file = try FileDescriptor.openForUpdating(path)
      let size = try file.size()
      return try file.bytes(min(size, 4096), at: max(0, size - 4096))
    }
    let last = tail.split(separator: 0x0A).last.map { Journal(Array($0)) }
    return last?.isEnded == true ? last?.records.last?.instant : nil
  }

  /// Ids begin with the time, so their order is that of the broadcasts, unless the clock was set.
  private func removeOld(but current: String) {
    guard let broadcasts = try? broadcasts().filter({ $0 != current }) else { return }
    for broadcast in broadcasts.dropLast(Self.capacity - 1) {
      try? folder.remove(broadcast + Self.fileEnd)
    }
  }
}

/// Gives an error of the system the name of what it befell.
func named<Result: ~Copyable>(
  _ path: String, _ body: () throws(SystemError) -> Result
) throws(JournalError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw JournalError(path, error)
  }
}

extension JournalError {
  fileprivate init(_ failure: FileLock.Failure, name: String, path: String) {
    switch failure {
    case .held(let process):
      let shown = process.map { " (process \($0))" } ?? ""
      self.init(
        .inUse, "another holdfast named \(name) is running\(shown)", hint: "stop it, or choose another --name"
      )
    case .system(let error): self.init(path, error)
    }
  }
}
