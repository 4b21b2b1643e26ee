package import HoldfastMP4
import HoldfastPlatform

extension FragmentedFile {
  package init(path: String) throws {
    let file = try FileDescriptor.openForUpdating(path, mustExist: true)
    file.expectScatteredReads()
    try self.init(try RecordingBytes(file))
  }

  /// Reads only the end of the recording at `path`.
  package init(endOf path: String) throws {
    try self.init(endOf: try RecordingBytes(try FileDescriptor.openForUpdating(path, mustExist: true)))
  }

  /// Whether the recording at `path` had a clean end; false if it can't be read.
  package static func isFinished(_ path: String) -> Bool {
    (try? FragmentedFile(endOf: path))?.isFinished ?? false
  }

  /// Cuts off a torn end of the recording at `path`; a complete recording stays unchanged. Throws while somebody writes it.
  @discardableResult
  package static func cutTornEnd(of path: String) throws -> FragmentedFile {
    try cutTornEnd(of: try openForCutting(path))
  }

  private static func openForCutting(_ path: String) throws -> FileDescriptor {
    let file = try FileDescriptor.openForUpdating(path, mustExist: true)
    try file.lockForWriting()
    return file
  }

  private static func cutTornEnd(of file: borrowing FileDescriptor) throws -> FragmentedFile {
    let known = try FragmentedFile(endOf: try RecordingBytes(file))
    guard known.tail == .torn || known.restoredHead != nil else { return known }
    try file.cutTornEnd(of: known)
    try file.synchronize()
    return known
  }

  /// Cuts the torn end and adds the index, as at a clean end; returns the length of the file. Throws while somebody writes it.
  package static func finish(_ path: String) throws -> Int { try finish(try openForCutting(path)) }

  static func finish(_ file: borrowing FileDescriptor) throws -> Int {
    let known = try cutTornEnd(of: file)
    var index = RecordingIndex.recover(try RecordingBytes(file), known)
    let length = known.wholeLength + (try index.finish(file, at: known.wholeLength))
    try file.synchronize()
    return length
  }
}

extension RecordingIndex {
  func begin(_ file: borrowing FileDescriptor) throws(SystemError) {
    try file.write(beginning)
    if let end, try file.size() < end { try file.truncate(to: end) }
  }

  /// Completes the index and appends an `mfra` box at `end`, for other players; returns its length.
  mutating func finish(_ file: borrowing FileDescriptor, at end: Int) throws(SystemError) -> Int {
    guard var list = finish() else { return 0 }
    try file.write(all)
    // Frees what a crash has left allocated beyond the end: FAT refuses to append before.
    try file.truncate(to: end)
    do {
      try file.write(list, at: end)
    } catch {
      // Without space for it, the index in front must do.
      guard error.isOutOfSpace, !spaces.isEmpty else { throw error }
      list = []
    }
    try file.truncate(to: end + list.count)
    // The index must not reach the disk before what it describes.
    try file.synchronize()
    try file.write(closing)
    return list.count
  }
}

extension FileDescriptor {
  /// Allocates space beyond `length` where that makes a power cut harmless; returns whether it has to be synchronized.
  func allocateAhead(of length: Int) -> Bool { allocateOnFAT(to: length + (8 << 20)) }

  func write(_ patches: [Patch]) throws(SystemError) {
    for patch in patches { try write(patch.bytes, at: patch.offset) }
  }

  /// Cuts off what is behind the last complete sample.
  func cutTornEnd(of known: FragmentedFile) throws(SystemError) {
    let heads = [known.restoredHead, known.shorterHead].compactMap(\.self)
    if !heads.isEmpty {
      try write(heads)
      // A file that ends before its head says would be torn.
      try synchronize()
    }
    try truncate(to: known.wholeLength)
  }
}
