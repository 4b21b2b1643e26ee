internal import Platform

extension SeekIndexRoom {
  private static let mostBytes = 1 << 24
  private static let mostStretches = 1 << 15

  /// The room that the file has that is `known`, and its index of all whole fragments. What stands in the room is taken where it
  /// fits the file, so that only the fragments behind it have to be looked at; else all are.
  static func recover(
    _ file: borrowing FileDescriptor, _ known: FragmentedFile
  ) throws -> (room: SeekIndexRoom?, index: SeekIndex) {
    guard let leader = known.tracks.first else { return (nil, SeekIndex(capacity: 0)) }
    guard let (room, written) = try? read(file, at: known.headLength, leader: leader) else {
      var index = SeekIndex(capacity: mostStretches)
      let isWhole = try known.visitFragments(of: file, from: known.headLength) {
        index.add($0, leader: leader)
      }
      return (nil, isWhole ? index : SeekIndex(capacity: 0))
    }
    for start in [written.end?.offset, room.end].compactMap(\.self) {
      var index = start == room.end ? SeekIndex(capacity: room.capacity) : written
      guard start <= known.wholeLength || start == room.end else { continue }
      let isWhole = try known.visitFragments(of: file, from: start) { index.add($0, leader: leader) }
      if isWhole { return (room, index) }
    }
    return (room, SeekIndex(capacity: 0))
  }

  /// The room that a file has at `offset`, and what stands in it; nil where there is none.
  private static func read(
    _ file: borrowing FileDescriptor, at offset: Int, leader: RecordedTrack
  ) throws -> (room: SeekIndexRoom, index: SeekIndex)? {
    var bytes = BoxBytes(try file.bytes(fixedLength, at: offset)[...])
    guard bytes.count == fixedLength else { return nil }
    let head = try BoxHead(&bytes)
    guard let length = head.length, (fixedLength..<mostBytes).contains(length) else { return nil }
    let isFinished = head.type == FourCharacters("sidx")
    guard isFinished || head.type == FourCharacters("free"), try bytes.uint32() == 0x0100_0000,
      try bytes.uint32() == leader.id, try bytes.uint32() == UInt32(leader.timescale)
    else { return nil }
    let time = Int64(truncatingIfNeeded: try bytes.number(bytes: 8))
    let distance = Int(truncatingIfNeeded: try bytes.number(bytes: 8))
    let keyframes = Int(try bytes.number(bytes: 2))
    let count = Int(try bytes.number(bytes: 2))
    let rest = isFinished ? try restLength(file, at: offset + length) : 0
    let room = SeekIndexRoom(offset: offset, length: length + rest, leader: leader)
    guard count > 0 else { return (room, SeekIndex(capacity: room.capacity)) }
    guard count <= room.capacity, (0..<mostBytes).contains(distance), (0..<1 << 60).contains(time) else {
      return nil
    }
    let start = SeekIndex.Place(offset: offset + length + distance, time: time)
    var list = BoxBytes(try file.bytes(count * entryLength, at: offset + fixedLength)[...])
    var stretches: [SeekIndex.Stretch] = []
    for _ in 0..<count {
      stretches.append(SeekIndex.Stretch(bytes: try list.uint32(), duration: try list.uint32()))
      try list.skip(4)
    }
    return (
      room,
      SeekIndex(
        capacity: room.capacity, start: start, stretches: stretches, keyframesPerStretch: max(1, keyframes))
    )
  }

  /// Of the `free` box that a clean end has left of the room at `offset`.
  private static func restLength(_ file: borrowing FileDescriptor, at offset: Int) throws -> Int {
    var bytes = BoxBytes(try file.bytes(Box.headLength, at: offset)[...])
    let head = try BoxHead(&bytes)
    guard head.type == FourCharacters("free"), let length = head.length, length < mostBytes else {
      throw FragmentedFileError.damaged("an index without its room")
    }
    return length
  }
}

extension SeekIndex {
  fileprivate mutating func add(_ fragment: Fragment, leader: RecordedTrack) {
    let part = fragment.parts.first { $0.track == leader.id }
    let before = last?.time ?? 0
    _ = add(
      from: Place(offset: fragment.offset, time: part?.start ?? before),
      to: Place(offset: fragment.end, time: part?.end ?? before),
      isKeyframe: part?.beginsWithKeyframe ?? false)
  }

  /// Completes the index of a file whose last fragment ends at `end`: the one in its `room`, if it has one, and for other
  /// players one behind the fragments. How long that is.
  func finish(
    _ file: borrowing FileDescriptor, behind end: Int, room: SeekIndexRoom?, leader: RecordedTrack
  ) throws(SystemError) -> Int {
    guard !stretches.isEmpty else { return 0 }
    let list = randomAccessBox(leader)
    try file.write(list, at: end)
    try file.truncate(to: end + list.count)
    // Nobody is to find an index of what is not on the disk.
    try file.synchronize()
    try room?.finish(self, in: file)
    return list.count
  }

  /// The `mfra` box, by which other players find their way: each stretch's time and fragment.
  func randomAccessBox(_ leader: RecordedTrack) -> [UInt8] {
    var list: [UInt8] = []
    list.add(UInt32(0x0100_0000))
    list.add(leader.id)
    // The numbers of the track's part, of the run and of the sample, which are all the first, have one byte each.
    list.add(UInt32(0))
    list.add(UInt32(stretches.count))
    var place = start ?? Place(offset: 0, time: 0)
    for stretch in stretches {
      list.add(place.time)
      list.add(place.offset)
      list += [1, 1, 1]
      place.time += Int64(stretch.duration)
      place.offset += Int(stretch.bytes)
    }
    let entries = Box.make("tfra", list)
    let footerLength = 16
    let length = Box.headLength + entries.count + footerLength
    return Box.make("mfra", entries + Box.make("mfro", Box.bytes(UInt32(0)) + Box.bytes(UInt32(length))))
  }
}

extension Fragment.Part {
  /// A player can begin with its first sample.
  fileprivate var beginsWithKeyframe: Bool { keyframe.map { $0.run == 1 && $0.sample == 1 } ?? false }
}
