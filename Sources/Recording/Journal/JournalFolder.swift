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

  /// The journals of broadcasts that something is left to do about, the latest first. One that can't be read is told,
  /// and holds up nobody.
  package func unfinished(problem: (JournalError) -> Void = { _ in }) throws(JournalError) -> [Journal] {
    var found: [(journal: Journal, lastSign: JournalInstant)] = []
    for broadcast in try broadcasts() {
      do throws(JournalError) {
        guard try !hasEnd(broadcast) else { continue }
        let journal = try journal(of: broadcast)
        if let unfinished = UnfinishedBroadcast(journal) { found.append((journal, unfinished.lastSign)) }
      } catch {
        problem(error)
      }
    }
    let boot = JournalInstant.now().bootID
    return found.sorted { $1.lastSign.isEarlier(than: $0.lastSign, boot: boot) }.map(\.journal)
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

  /// Whether the last line says that all is over, so that the rest needn't be read.
  private func hasEnd(_ broadcast: String) throws(JournalError) -> Bool {
    let path = folder.file(try file(of: broadcast))
    let tail = try named(path) { () throws(SystemError) in
      let file = try FileDescriptor.openForUpdating(path)
      let size = try file.size()
      return try file.bytes(min(size, 4096), at: max(0, size - 4096))
    }
    guard let last = tail.split(separator: 0x0A).last else { return false }
    return Journal(Array(last)).isEnded
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

extension JournalInstant {
  /// What happened since the machine was booted is the latest, by a clock that nobody sets.
  fileprivate func isEarlier(than other: JournalInstant, boot: String?) -> Bool {
    switch (bootID == boot, other.bootID == boot) {
    case (true, true): sinceBoot < other.sinceBoot
    case (false, false): wall < other.wall
    case (false, true): true
    case (true, false): false
    }
  }
}
