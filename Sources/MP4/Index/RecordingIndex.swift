package import HoldfastMediaModel

/// A recording's seek index, with one `sidx` for each track and the same segments in all.
///
/// One would satisfy the standard, but FFmpeg would apply its times to all tracks.
package struct RecordingIndex: Hashable, Sendable {
  package let spaces: [SeekIndexSpace]
  private let tracks: [RecordedTrack]
  private var indexes: [SeekIndex]

  /// Enough for half a day with a keyframe every 2 s.
  static let usualLength = 1 << 19
  private static let page = 4096
  /// Limit in memory for a file without reserved space.
  private static let maxSegments = 1 << 15

  package var end: Int? { spaces.last?.end }

  package var emptyBoxes: [UInt8] { spaces.flatMap(\.emptyBox) }

  /// The heads of the reserved spaces; the rest stays a hole, which takes no disk space.
  package var beginning: [Patch] { spaces.map(\.beginning) }

  /// Adds a fragment; returns what to write so that the index survives a crash.
  package mutating func add(_ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool) -> [Patch] {
    let changes = note(bytes, times: times, isKeyframe: isKeyframe)
    return spaces.indices.flatMap { spaces[$0].patches(for: changes[$0], of: indexes[$0]) }
  }

  private mutating func note(
    _ bytes: Range<Int>, times: [Range<Int64>], isKeyframe: Bool
  ) -> [SeekIndex.Change] {
    // An index begins where its first track does: what a repair could not keep may have been that track's.
    guard indexes.first?.start != nil || times.first?.isEmpty == false else {
      return indexes.map { _ in .nothing }
    }
    return indexes.indices.map { number in
      indexes[number].add(
        from: .init(offset: bytes.lowerBound, time: times[number].lowerBound),
        to: .init(offset: bytes.upperBound, time: times[number].upperBound), isKeyframe: isKeyframe)
    }
  }

  /// Ends the index. Returns the `mfra` box for the end of the file; nil if the index is empty.
  package mutating func finish() -> [UInt8]? {
    for number in indexes.indices { _ = indexes[number].finish() }
    guard let leader = tracks.first, let index = indexes.first, !index.segments.isEmpty else { return nil }
    return index.randomAccessBox(leader)
  }

  /// Writes the whole index into the reserved spaces while they are still `free` boxes.
  package var all: [Patch] { zip(spaces, indexes).flatMap { $0.patches(for: .all, of: $1) } }

  /// Turns the reserved spaces into `sidx` boxes, which players read.
  package var closing: [Patch] { zip(spaces, indexes).flatMap { $0.closing($1) } }
}

extension RecordingIndex {
  /// Reserves space at `offset`, after the head. `expected` is the length of the recording, if known.
  package init(at offset: Int, tracks: [RecordedTrack], expected: MediaTime? = nil) {
    // In the worst case each fragment begins with a keyframe.
    let segments = expected.map { Int($0.seconds / OpenFragment.shortest.seconds) + 16 }
    let needed = segments.map { SeekIndexSpace.length(for: $0) } ?? .max
    var spaces: [SeekIndexSpace] = []
    for track in tracks {
      // Each ends at a page boundary, so that the next one's head is never seen half written.
      let start = spaces.last?.end ?? offset
      let most = Self.usualLength / tracks.count - start % Self.page
      let end = (start + min(needed, most) + Self.page - 1) / Self.page * Self.page
      spaces.append(SeekIndexSpace(offset: start, length: end - start, track: track))
    }
    let capacity = spaces.map(\.capacity).min() ?? 0
    self.init(spaces: spaces, tracks: tracks, indexes: tracks.map { _ in SeekIndex(capacity: capacity) })
  }

  /// The index of all complete fragments of `known`. What is in the reserved space is reused if it matches
  /// the file, so that only later fragments are read.
  package static func recover(_ source: RecordingBytes, _ known: FragmentedFile) -> RecordingIndex {
    guard let found = try? read(source, known) else {
      let index = RecordingIndex(
        spaces: [], tracks: known.tracks,
        indexes: known.tracks.map { _ in SeekIndex(capacity: maxSegments) })
      return index.following(known, of: source, from: known.headLength) ?? index.without
    }
    if let written = found.indexes.first?.end?.offset, written <= known.wholeLength,
      let whole = found.following(known, of: source, from: written)
    {
      return whole
    }
    return found.without.following(known, of: source, from: found.end ?? known.headLength) ?? found.without
  }

  private var without: RecordingIndex {
    RecordingIndex(spaces: spaces, tracks: tracks, indexes: indexes.map { SeekIndex(capacity: $0.capacity) })
  }

  private static func read(
    _ source: RecordingBytes, _ known: FragmentedFile
  ) throws(FragmentedFileError) -> RecordingIndex {
    var spaces: [SeekIndexSpace] = []
    var indexes: [SeekIndex] = []
    for track in known.tracks {
      let (space, index) = try SeekIndexSpace.read(
        source, at: spaces.last?.end ?? known.headLength, track: track)
      spaces.append(space)
      indexes.append(index)
    }
    // A crash may have occurred between two of these writes.
    let count = indexes.map(\.segments.count).min() ?? 0
    let capacity = spaces.map(\.capacity).min() ?? 0
    return RecordingIndex(
      spaces: spaces, tracks: known.tracks, indexes: indexes.map { $0.cut(to: count, capacity: capacity) })
  }

  /// Adds the fragments from `offset`; nil if unreadable bytes are between them.
  private func following(
    _ known: FragmentedFile, of source: RecordingBytes, from offset: Int
  ) -> RecordingIndex? {
    var index = self
    var starts = indexes.map { $0.end?.time ?? 0 }
    var ends = starts
    let isWhole = known.visitFragments(of: source, from: offset) { fragment in
      let parts = index.tracks.map { track in fragment.parts.first { $0.track == track.id } }
      let times = index.tracks.indices.map { number in
        // The last sample before may last longer than until this one.
        let part = parts[number].flatMap { $0.samples.isEmpty ? nil : $0 }
        let start = part.map { max(starts[number], $0.start) } ?? ends[number]
        return start..<max(start, ends[number], part?.end ?? 0)
      }
      (starts, ends) = (times.map(\.lowerBound), times.map(\.upperBound))
      _ = index.note(
        fragment.range, times: times,
        isKeyframe: parts.first.flatMap(\.self)?.samples.first?.isKeyframe ?? false)
    }
    return isWhole ? index : nil
  }
}

extension SeekIndex {
  /// The `mfra` box: time and offset of each segment.
  fileprivate func randomAccessBox(_ leader: RecordedTrack) -> [UInt8] {
    var list: [UInt8] = []
    list.add(UInt32(0x0100_0000))
    list.add(leader.id)
    // The numbers of `traf`, `trun` and sample, all 1, have one byte each.
    list.add(UInt32(0))
    list.add(UInt32(segments.count))
    var place = start ?? Position(offset: 0, time: 0)
    for segment in segments {
      list.add(place.time)
      list.add(place.offset)
      list += [1, 1, 1]
      place.time += Int64(segment.duration)
      place.offset += Int(segment.bytes)
    }
    let entries = Box.make("tfra", list)
    let footerLength = 16
    let length = Box.headLength + entries.count + footerLength
    return Box.make("mfra", entries + Box.make("mfro", Box.bytes(UInt32(0)) + Box.bytes(UInt32(length))))
  }
}
