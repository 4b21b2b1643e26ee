/// Reads single fragments at offsets of a file.
package struct FragmentReader: Sendable {
  let source: RecordingBytes
  let tracks: [RecordedTrack]

  package init(_ source: RecordingBytes, tracks: [RecordedTrack]) {
    self.source = source
    self.tracks = tracks
  }

  /// Enough for a typical `moof` and the header of the box after it.
  private static let window = 4096

  /// The fragment at `start` with an empty `media`, and the next box header; nil without a complete `moof`.
  func description(at start: Int) -> (fragment: Fragment, next: BoxHead?)? {
    var bytes = source.some(Self.window, at: start)
    var front = BoxReader(bytes[...])
    guard let head = try? BoxHead(&front), head.type == "moof", let length = head.length,
      length <= min(Fragment.maxMovieLength, source.size - start)
    else { return nil }
    if bytes.count < length + BoxHead.maxSize { bytes = source.some(length + BoxHead.maxSize, at: start) }
    guard bytes.count >= length else { return nil }
    var rest = BoxReader(bytes[length...])
    let next = try? BoxHead(&rest)
    let fragment = try? Fragment(
      BoxReader(bytes[head.size..<length]), movie: start..<start + length,
      mediaLength: mediaLength(next, at: start + length), tracks: tracks)
    return fragment.map { ($0, next) }
  }

  /// The length of the `mdat` box at `offset`, as far as it is in the file; 0 for any other box.
  private func mediaLength(_ box: BoxHead?, at offset: Int) -> Int {
    guard let box, box.type == "mdat" else { return 0 }
    let most = source.size - offset
    return min(box.length ?? most, most)
  }

  /// The complete fragment at `start` with all of its samples; nil if there is none.
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

  private static let piece = 1 << 18
  /// Limit for bytes read that only look like a `moof`; more than any accidental damage causes.
  private var maxMisread: Int { min(64 << 20, 16 * source.size) }

  /// The first offset from `start` that looks like a fragment and for which `isFound` is true.
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
        misread += length + mediaLength(source.boxHead(at: place + length), at: place + length)
        if misread > maxMisread { return nil }
      }
      // A box type may cross the boundary of two pieces.
      offset += bytes.count - 7
    }
    return nil
  }

  private static func places(in bytes: Span<UInt8>) -> [Int] {
    var places: [Int] = []
    var index = 4
    while index <= bytes.count - 4 {
      // The last letter determines how far to skip.
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

  /// The length of a plausible `moof` at `offset`, whose content begins with another box.
  private func likelyLength(at offset: Int) -> Int? {
    var bytes = BoxReader(source.some(32, at: offset)[...])
    guard let head = try? BoxHead(&bytes), let length = head.length,
      length <= min(Fragment.maxMovieLength, source.size - offset), let first = try? BoxHead(&bytes),
      first.length ?? .max <= length - head.size
    else { return nil }
    return length
  }
}
