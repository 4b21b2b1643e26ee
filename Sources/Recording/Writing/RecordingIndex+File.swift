internal import HoldfastMP4
internal import HoldfastPlatform

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
