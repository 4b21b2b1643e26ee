internal import Platform

/// The index at a finished recording's end, by which a player finds its way without reading all of it: `mfra`.
enum FragmentIndex {
  /// Writes the index of the fragments that `file` has behind the last of them; how long it is.
  static func add(to file: borrowing FileDescriptor) throws -> Int {
    var entries: [UInt32: [UInt8]] = [:]
    let known = try FragmentedFile(file) { fragment in
      for part in fragment.parts {
        guard let keyframe = part.keyframe, let number = UInt8(exactly: part.number),
          let run = UInt8(exactly: keyframe.run)
        else { continue }
        entries[part.track, default: []] +=
          bytes(UInt64(bitPattern: keyframe.time)) + bytes(UInt64(fragment.offset)) + [number, run]
          + bytes(UInt32(keyframe.sample))
      }
    }
    let index = known.tracks.flatMap { track in
      box("tfra", bytes(UInt32(1 << 24)) + bytes(track.id) + Self.list(of: entries[track.id] ?? []))
    }
    let footer: UInt32 = 16
    let length = UInt32(8 + index.count) + footer
    let all = box("mfra", index + box("mfro", bytes(UInt32(0)) + bytes(length)))
    try file.write(all, at: known.wholeLength)
    try file.truncate(to: known.wholeLength + all.count)
    return all.count
  }

  /// How long an entry's numbers are (of a part and of a run one byte, of a sample four), how many entries, and they.
  private static func list(of entries: [UInt8]) -> [UInt8] {
    bytes(UInt32(0b00_00_11)) + bytes(UInt32(entries.count / 22)) + entries
  }

  private static func box(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
    bytes(UInt32(8 + content.count)) + bytes(FourCharacters(type).code) + content
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
