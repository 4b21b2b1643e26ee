/// Reads fragments, each where it lies in a file.
package struct FragmentReader: Sendable {
  let source: RecordingBytes
  let tracks: [RecordedTrack]

  package init(_ source: RecordingBytes, tracks: [RecordedTrack]) {
    self.source = source
    self.tracks = tracks
  }

  /// Enough for the description of a usual fragment, and the head of the box behind it.
  private static let window = 4096

  /// The description of a fragment that begins at `start`, and the head of the box behind it; nil where there is none that
  /// is whole.
  func description(at start: Int) -> (fragment: Fragment, next: BoxHead?)? {
    var bytes = source.some(Self.window, at: start)
    var front = BoxBytes(bytes[...])
    guard let head = try? BoxHead(&front), head.type == "moof", let length = head.length,
      length <= min(Fragment.maxMovieLength, source.size - start)
    else { return nil }
    if bytes.count < length + BoxHead.maxSize { bytes = source.some(length + BoxHead.maxSize, at: start) }
    guard bytes.count >= length,
      let fragment = try? Fragment(
        BoxBytes(bytes[head.size..<length]), movie: start..<start + length, fileSize: source.size,
        tracks: tracks)
    else { return nil }
    var behind = BoxBytes(bytes[length...])
    return (fragment, try? BoxHead(&behind))
  }

  /// The fragment at `start`; nil where none is that is whole, with all of its samples.
  package func fragment(at start: Int) -> Fragment? {
    guard let found = description(at: start), let next = found.next, next.type == "mdat",
      let length = next.length, length <= source.size - found.fragment.movie.upperBound
    else { return nil }
    var fragment = found.fragment
    let end = fragment.movie.upperBound + length
    fragment.media = end - length + next.size..<end
    return fragment.isWhole(tracks) ? fragment : nil
  }

  // MARK: - Searching

  /// How much is searched at once.
  private static let piece = 1 << 18
  /// How much may be read that only looks like fragments: enough for any accidental damage.
  private static let maxMisread = 64 << 20

  /// The first place from `start` on where something begins as a fragment does, and `isFound` holds.
  func search(from start: Int, isFound: (_ offset: Int) -> Bool) -> Int? {
    var offset = start
    var misread = 0
    while offset < source.size - 8 {
      let bytes = source.some(Self.piece, at: offset)
      guard bytes.count >= 8 else { return nil }
      for index in Self.places(in: bytes.span) {
        let place = offset + index
        guard let length = likelyLength(at: place) else { continue }
        if isFound(place) { return place }
        misread += length
        if misread > Self.maxMisread { return nil }
      }
      // A name may lie across two pieces.
      offset += bytes.count - 7
    }
    return nil
  }

  /// Where a box named `moof` may begin.
  private static func places(in bytes: Span<UInt8>) -> [Int] {
    var places: [Int] = []
    var index = 4
    while index <= bytes.count - 4 {
      // The last letter says how far away the next candidate is.
      switch bytes[index + 3] {
      case 0x66:
        if bytes[index] == 0x6D, bytes[index + 1] == 0x6F, bytes[index + 2] == 0x6F {
          places.append(index - 4)
        }
        index += 4
      case 0x6F: index += 1
      case 0x6D: index += 3
      default: index += 4
      }
    }
    return places
  }

  /// The length of what begins as a fragment does: a box, and another one in it.
  private func likelyLength(at offset: Int) -> Int? {
    var bytes = BoxBytes(source.some(32, at: offset)[...])
    guard let head = try? BoxHead(&bytes), let length = head.length,
      length <= min(Fragment.maxMovieLength, source.size - offset), let first = try? BoxHead(&bytes),
      first.length ?? .max <= length - head.size
    else { return nil }
    return length
  }
}
