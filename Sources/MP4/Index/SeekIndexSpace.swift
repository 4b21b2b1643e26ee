/// Bytes to write at an offset. Several must reach the file in order.
package struct Patch: Hashable, Sendable {
  package let offset: Int
  package let bytes: [UInt8]
}

/// The reserved space for the index of one track, before the fragments.
///
/// While recording, it is a `free` box, which players skip, and already holds the index for crash recovery.
/// A clean end makes it a `sidx` box and a shorter `free` box.
package struct SeekIndexSpace: Hashable, Sendable {
  let offset: Int
  let length: Int
  let track: RecordedTrack

  /// Length of the header and of the fixed `sidx` fields.
  static let fixedLength = 40
  static let entryLength = 12
  /// Starts with a SAP of type 1, a keyframe.
  private static let access: UInt32 = 0x9000_0000
  /// The entry count of a `sidx` box has 16 bits.
  private static let maxEntries = 0xFFFF

  var end: Int { offset + length }

  /// Number of entries; a `free` box always follows the list.
  var capacity: Int {
    min(max(0, (length - Self.fixedLength - Box.headLength) / Self.entryLength), Self.maxEntries)
  }

  static func length(for segments: Int) -> Int { fixedLength + segments * entryLength + Box.headLength }

  private func fixed(_ index: SeekIndex, type: BoxType, length: Int, spare: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.addHead(of: type, length: length)
    bytes.add(UInt32(0x0100_0000))
    bytes.add(track.id)
    bytes.add(UInt32(track.timescale))
    bytes.add(index.start?.time ?? 0)
    bytes.add(Int64((index.start?.offset ?? end) - (offset + length)))
    bytes.add(spare)
    bytes.add(UInt16(index.segments.count))
    return bytes
  }

  private func entry(_ segment: SeekIndex.Segment) -> [UInt8] {
    Box.bytes(segment.bytes) + Box.bytes(segment.duration) + Box.bytes(Self.access)
  }

  private func place(of entry: Int) -> Int { offset + Self.fixedLength + entry * Self.entryLength }

  private var emptyHead: [UInt8] {
    fixed(SeekIndex(capacity: capacity), type: "free", length: length, spare: 1)
  }

  var emptyBox: [UInt8] {
    let head = emptyHead
    return head + [UInt8](repeating: 0, count: length - head.count)
  }

  var beginning: Patch { Patch(offset: offset, bytes: emptyHead) }

  /// The writes that record a change for crash recovery.
  func patches(for change: SeekIndex.Change, of index: SeekIndex) -> [Patch] {
    let spare = UInt16(clamping: index.keyframesPerSegment)
    let head = Patch(offset: offset, bytes: fixed(index, type: "free", length: length, spare: spare))
    switch change {
    case .nothing: return []
    case .added:
      let last = index.segments.count - 1
      return [Patch(offset: place(of: last), bytes: entry(index.segments[last])), head]
    case .all:
      // Empties the index first, so that a crash leaves no inconsistent one.
      return [beginning, Patch(offset: place(of: 0), bytes: index.segments.flatMap(entry)), head]
    }
  }

  /// Turns the `free` box into a `sidx` box.
  func closing(_ index: SeekIndex) -> [Patch] {
    guard !index.segments.isEmpty else { return [] }
    let all = Self.length(for: index.segments.count) - Box.headLength
    return [
      Patch(offset: offset + all, bytes: Box.head("free", length: length - all)),
      Patch(offset: offset, bytes: fixed(index, type: "sidx", length: all, spare: 0)),
    ]
  }
}

extension SeekIndexSpace {
  private static let maxBytes = 1 << 24

  /// Parses the reserved space at `offset` and the index in it.
  static func read(
    _ source: RecordingBytes, at offset: Int, track: RecordedTrack
  ) throws(FragmentedFileError) -> (space: SeekIndexSpace, index: SeekIndex) {
    var bytes = BoxReader(try source.all(offset..<offset + fixedLength)[...])
    let head = try BoxHead(&bytes)
    guard let length = head.length, (fixedLength..<maxBytes).contains(length) else {
      throw .foreign("no space is reserved for an index")
    }
    let isFinished = head.type == "sidx"
    guard isFinished || head.type == "free", try bytes.uint32() == 0x0100_0000,
      try bytes.uint32() == track.id, try bytes.uint32() == UInt32(track.timescale)
    else { throw .foreign("no space is reserved for an index") }
    let time = Int64(truncatingIfNeeded: try bytes.number(bytes: 8))
    let distance = Int(truncatingIfNeeded: try bytes.number(bytes: 8))
    let keyframes = Int(try bytes.number(bytes: 2))
    let count = Int(try bytes.number(bytes: 2))
    let rest = isFinished ? try restLength(source, at: offset + length) : 0
    let space = SeekIndexSpace(offset: offset, length: length + rest, track: track)
    guard count > 0 else { return (space, SeekIndex(capacity: space.capacity)) }
    guard count <= space.capacity, (0..<maxBytes).contains(distance), (0..<1 << 60).contains(time) else {
      throw .damaged("an implausible index")
    }
    let start = SeekIndex.Position(offset: offset + length + distance, time: time)
    let entries = offset + fixedLength..<offset + fixedLength + count * entryLength
    var list = BoxReader(try source.all(entries)[...])
    var segments: [SeekIndex.Segment] = []
    for _ in 0..<count {
      let segment = SeekIndex.Segment(bytes: try list.uint32(), duration: try list.uint32())
      // A power cut may have kept the count but not the last entry.
      guard segment.bytes > 0 else { throw .damaged("an empty index entry") }
      segments.append(segment)
      try list.skip(4)
    }
    return (
      space,
      SeekIndex(
        capacity: space.capacity, start: start, segments: segments, keyframesPerSegment: max(1, keyframes))
    )
  }

  /// Length of the `free` box that a clean end leaves after the `sidx`.
  private static func restLength(_ source: RecordingBytes, at offset: Int) throws(FragmentedFileError) -> Int
  {
    guard let head = source.boxHead(at: offset), head.type == "free", let length = head.length,
      length < maxBytes
    else {
      throw .damaged("an index without its reserved space")
    }
    return length
  }
}
