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
