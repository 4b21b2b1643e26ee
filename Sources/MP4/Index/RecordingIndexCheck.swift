/// Checks that the entries of an index point to fragments with those times.
struct RecordingIndexCheck {
  let source: RecordingBytes
  let tracks: [RecordedTrack]

  private static let maxEntries = 1 << 22

  /// Reads entries one by one, so that memory does not depend on the length of the index.
  private struct Reader {
    let source: RecordingBytes
    var offset: Int
    let end: Int

    mutating func number(_ count: Int) throws(FragmentedFileError) -> Int {
      guard end - offset >= count else { throw .damaged("it is truncated") }
      let value = try source.all(offset..<offset + count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      offset += count
      guard let value = Int(exactly: value) else { throw .damaged("an excessive number") }
      return value
    }
  }

  // MARK: - mfra

  /// Returns the number of `mfra` entries. `keyframes` counts the fragments of each track that contain one.
  /// The first track must be present; neighbouring fragments may share an entry.
  func checkRandomAccess(_ box: Range<Int>, keyframes: [UInt32: Int]) throws(FragmentedFileError) -> Int {
    var offset = box.lowerBound + 8
    var entries = 0
    var seen: Set<UInt32> = []
    var hasEnd = false
    while offset < box.upperBound {
      guard let head = source.boxHead(at: offset), let length = head.length, length <= box.upperBound - offset
      else { throw .damaged("it is truncated") }
      var reader = Reader(source: source, offset: offset + head.size, end: offset + length)
      switch head.type {
      case "tfra":
        let (track, count) = try checkTrack(&reader)
        guard seen.insert(track).inserted else { throw .damaged("it contains track \(track) twice") }
        guard count > 0 || keyframes[track] ?? 0 == 0 else {
          throw .damaged("it has no entry for track \(track)")
        }
        entries += count
      case "mfro":
        _ = try reader.number(4)
        guard try reader.number(4) == box.count else { throw .damaged("its length at the end is wrong") }
        hasEnd = true
      default: throw .damaged("it contains an unexpected box")
      }
      offset += length
    }
    guard hasEnd else { throw .damaged("its end is missing") }
    if let leader = tracks.first, keyframes[leader.id] ?? 0 > 0, !seen.contains(leader.id) {
      throw .damaged("it lacks track \(leader.id)")
    }
    return entries
  }

  private func checkTrack(_ reader: inout Reader) throws(FragmentedFileError) -> (UInt32, Int) {
    let isLong = try reader.number(4) >> 24 == 1
    let id = UInt32(truncatingIfNeeded: try reader.number(4))
    let lengths = try reader.number(4)
    let count = try reader.number(4)
    guard tracks.contains(where: { $0.id == id }) else { throw .damaged("it refers to an unknown track") }
    guard count <= Self.maxEntries else { throw .tooLarge("\(count) entries") }
    var last = -1
    for _ in 0..<count {
      let time = try reader.number(isLong ? 8 : 4)
      let offset = try reader.number(isLong ? 8 : 4)
      for shift in [4, 2, 0] { _ = try reader.number((lengths >> shift & 3) + 1) }
      guard offset > last else { throw .damaged("its offsets are not ascending") }
      last = offset
      guard let fragment = fragment(at: offset), let part = fragment.parts.first(where: { $0.track == id })
      else { throw .damaged("no fragment of track \(id) is at byte \(offset)") }
      guard part.samples.contains(where: { $0.time == time || $0.time + $0.delay == time }) else {
        throw .damaged("its time for byte \(offset) is wrong")
      }
    }
    guard reader.offset == reader.end else { throw .damaged("it is longer than its entries") }
    return (id, count)
  }

  private func fragment(at offset: Int) -> Fragment? {
    FragmentReader(source, tracks: tracks).description(at: offset)?.fragment
  }

  // MARK: - sidx

  /// Returns the number of `sidx` entries; `end` is where the last fragment ends.
  func checkSegments(_ box: Range<Int>, end: Int) throws(FragmentedFileError) -> Int {
    guard let head = source.boxHead(at: box.lowerBound) else { throw .damaged("it is truncated") }
    var reader = Reader(source: source, offset: box.lowerBound + head.size, end: box.upperBound)
    let isLong = try reader.number(4) >> 24 == 1
    let id = UInt32(truncatingIfNeeded: try reader.number(4))
    guard tracks.contains(where: { $0.id == id }) else { throw .damaged("it refers to an unknown track") }
    guard try reader.number(4) > 0 else { throw .damaged("its timescale is 0") }
    _ = try reader.number(isLong ? 8 : 4)
    var place = box.upperBound
    let distance = try reader.number(isLong ? 8 : 4)
    guard distance <= source.size - place else { throw .damaged("it points past the end of the file") }
    place += distance
    let count = try reader.number(4) & 0xFFFF
    for _ in 0..<count {
      let size = try reader.number(4) & 0x7FFF_FFFF
      for _ in 0..<2 { _ = try reader.number(4) }
      guard size <= source.size - place else { throw .damaged("it points past the end of the file") }
      guard source.boxHead(at: place)?.type == "moof", fragment(at: place) != nil else {
        throw .damaged("no fragment is at byte \(place)")
      }
      place += size
    }
    guard place >= end else { throw .damaged("it ends at byte \(place), before the last fragment does") }
    return count
  }
}
