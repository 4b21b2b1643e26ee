package import HoldfastMP4
internal import HoldfastPlatform

extension FragmentedFile {
  /// Reads the recording at `path`, all of it.
  package init(path: String) throws {
    let file = try FileDescriptor.openForUpdating(path, isThere: true)
    file.expectScatteredReads()
    try self.init(try RecordingBytes(file))
  }

  /// Reads where the recording at `path` ends.
  package init(endOf path: String) throws {
    try self.init(endOf: try RecordingBytes(try FileDescriptor.openForUpdating(path, isThere: true)))
  }

  /// Cuts off what a sudden end has left behind the last whole fragment of the recording at `path`, and says what it is. A
  /// recording that is whole stays as it is.
  @discardableResult
  package static func cutTornEnd(of path: String) throws -> FragmentedFile {
    let file = try FileDescriptor.openForUpdating(path, isThere: true)
    let known = try FragmentedFile(endOf: try RecordingBytes(file))
    guard known.tail == .torn else { return known }
    try file.truncate(to: known.wholeLength)
    try file.synchronize()
    return known
  }

  /// Cuts what is torn and adds the index, as at a clean end; how long the file is then.
  package static func finish(_ path: String) throws -> Int {
    let known = try cutTornEnd(of: path)
    let file = try FileDescriptor.openForUpdating(path, isThere: true)
    var index = RecordingIndex.recover(try RecordingBytes(file), known)
    let length = known.wholeLength + (try index.finish(file, behind: known.wholeLength))
    try file.synchronize()
    return length
  }
}

extension RecordingIndex {
  func begin(_ file: borrowing FileDescriptor) throws(SystemError) {
    try file.write(beginning)
    if let end, try file.size() < end { try file.truncate(to: end) }
  }

  /// Completes it, with one more for other players behind the last fragment, which ends at `end`. How long that is.
  mutating func finish(_ file: borrowing FileDescriptor, behind end: Int) throws(SystemError) -> Int {
    guard var list = finish() else { return 0 }
    try file.write(all)
    do {
      try file.write(list, at: end)
    } catch {
      // Where there is no room for it, the one in front has to do.
      guard error.isForWantOfRoom, !rooms.isEmpty else { throw error }
      list = []
    }
    try file.truncate(to: end + list.count)
    // Nobody is to find an index of what is not on the disk.
    try file.synchronize()
    try file.write(closing)
    return list.count
  }
}

extension FileDescriptor {
  func write(_ patches: [Patch]) throws(SystemError) {
    for patch in patches { try write(patch.bytes, at: patch.offset) }
  }
}
