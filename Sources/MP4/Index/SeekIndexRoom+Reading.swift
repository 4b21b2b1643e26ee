extension SeekIndexRoom {
  private static let maxBytes = 1 << 24

  /// The room for `track` that a file has at `offset`, and what stands in it.
  static func read(
    _ source: RecordingBytes, at offset: Int, track: RecordedTrack
  ) throws(FragmentedFileError) -> (room: SeekIndexRoom, index: SeekIndex) {
    var bytes = BoxBytes(try source.all(offset..<offset + fixedLength)[...])
    let head = try BoxHead(&bytes)
    guard let length = head.length, (fixedLength..<maxBytes).contains(length) else {
      throw .foreign("there is no room for an index")
    }
    let isFinished = head.type == "sidx"
    guard isFinished || head.type == "free", try bytes.uint32() == 0x0100_0000,
      try bytes.uint32() == track.id, try bytes.uint32() == UInt32(track.timescale)
    else { throw .foreign("there is no room for an index") }
    let time = Int64(truncatingIfNeeded: try bytes.number(bytes: 8))
    let distance = Int(truncatingIfNeeded: try bytes.number(bytes: 8))
    let keyframes = Int(try bytes.number(bytes: 2))
    let count = Int(try bytes.number(bytes: 2))
    let rest = isFinished ? try restLength(source, at: offset + length) : 0
    let room = SeekIndexRoom(offset: offset, length: length + rest, track: track)
    guard count > 0 else { return (room, SeekIndex(capacity: room.capacity)) }
    guard count <= room.capacity, (0..<maxBytes).contains(distance), (0..<1 << 60).contains(time) else {
      throw .damaged("an index of nothing")
    }
    let start = SeekIndex.Place(offset: offset + length + distance, time: time)
    let entries = offset + fixedLength..<offset + fixedLength + count * entryLength
    var list = BoxBytes(try source.all(entries)[...])
    var stretches: [SeekIndex.Stretch] = []
    for _ in 0..<count {
      let stretch = SeekIndex.Stretch(bytes: try list.uint32(), duration: try list.uint32())
      // A power cut may have kept the number of entries and not the last of them.
      guard stretch.bytes > 0 else { throw .damaged("an entry of nothing") }
      stretches.append(stretch)
      try list.skip(4)
    }
    return (
      room,
      SeekIndex(
        capacity: room.capacity, start: start, stretches: stretches, keyframesPerStretch: max(1, keyframes))
    )
  }

  /// Of the `free` box that a clean end has left of the room at `offset`.
  private static func restLength(_ source: RecordingBytes, at offset: Int) throws(FragmentedFileError) -> Int
  {
    guard let head = source.boxHead(at: offset), head.type == "free", let length = head.length,
      length < maxBytes
    else {
      throw .damaged("an index without its room")
    }
    return length
  }
}
