/// Reads a recording from its front to its end, whatever has become of it, a fragment at a time.
///
/// Any bytes can be walked over. What is not whole is passed over until the next fragment that can be read.
struct RecordingWalk {
  enum Section: Hashable, Sendable {
    case fragment(MovieFragment)
    /// Its description is whole, but the box of its samples is not: they are there as far as `media` reaches.
    case torn(MovieFragment, TornReason)
    /// Room that was left.
    case space(Range<Int>)
    /// `sidx` or `mfra`.
    case index(FourCharacters, Range<Int>)
    /// Nobody can read it. `atEnd`: nothing follows.
    case damage(Range<Int>, atEnd: Bool)
  }

  enum TornReason: Hashable, Sendable {
    /// Bytes of the samples are missing.
    case cut
    /// All samples are there, but the box that holds them claims another length, or is none.
    case mislabelled
  }

  let source: RecordingBytes
  let tracks: [RecordedTrack]
  private(set) var offset: Int
  /// Where nothing is left of the head, the fragments have to be searched for.
  private var isSearching: Bool

  init(_ source: RecordingBytes, tracks: [RecordedTrack], from start: Int?) {
    self.source = source
    self.tracks = tracks
    offset = start ?? 0
    isSearching = start == nil
  }

  /// Nil at the end of the file.
  mutating func next() -> Section? {
    guard offset < source.size else { return nil }
    let section = isSearching ? passOver(from: offset) : section(at: offset)
    isSearching = false
    offset = max(offset + 1, section.range.upperBound)
    return section
  }

  private func section(at start: Int) -> Section {
    guard let head = source.boxHead(at: start) else { return passOver(from: start + 1) }
    let end = head.length.flatMap { $0 <= source.size - start ? start + $0 : nil }
    switch head.type {
    case FourCharacters("moof"):
      guard let fragment = movie(at: start) else { return passOver(from: start + 1) }
      return withMedia(fragment)
    case FourCharacters("free"), FourCharacters("skip"), FourCharacters("wide"):
      guard let end, isPlausible(at: end) else { return passOver(from: start + 1) }
      return .space(start..<end)
    case FourCharacters("sidx"), FourCharacters("mfra"):
      guard let end, isPlausible(at: end) else { return passOver(from: start + 1) }
      return .index(head.type, start..<end)
    default: return passOver(from: start + 1)
    }
  }

  // MARK: - Fragments

  /// The description that begins at `start`, when it is whole.
  private func movie(at start: Int) -> MovieFragment? {
    guard let head = source.boxHead(at: start), head.type == FourCharacters("moof"), let length = head.length,
      length <= min(MovieFragment.longestMovie, source.size - start)
    else { return nil }
    let bytes = source.some(length, at: start)
    guard bytes.count == length else { return nil }
    return try? MovieFragment(
      BoxBytes(bytes[head.size...]), contentOffset: start + head.size, movie: start..<start + length,
      tracks: tracks)
  }

  /// Finds out where the samples of `fragment` really end.
  private func withMedia(_ fragment: MovieFragment) -> Section {
    var fragment = fragment
    let start = fragment.movie.upperBound
    let head = source.boxHead(at: start)
    let isNamed = head?.type == FourCharacters("mdat")
    let content = start + (isNamed ? head?.size ?? 8 : 8)
    fragment.media = content..<content
    let needed = fragment.samplesEnd
    guard content <= source.size else {
      fragment.media = source.size..<source.size
      return .torn(fragment, .cut)
    }
    if isNamed, let length = head?.length, length <= source.size - start, needed <= start + length {
      // A box that swallows what comes behind its samples is longer than it was.
      let swallows = needed < start + length && needed > content && isPlausible(at: needed, ofOurs: true)
      guard swallows else {
        fragment.media = content..<start + length
        return .fragment(fragment)
      }
      fragment.media = content..<needed
      return .torn(fragment, .mislabelled)
    }
    if needed <= source.size, isPlausible(at: needed, ofOurs: true) {
      fragment.media = content..<needed
      return .torn(fragment, .mislabelled)
    }
    let end = search(from: content) ?? source.size
    fragment.media = content..<max(content, min(end, needed))
    return .torn(fragment, .cut)
  }

  /// Whether a box may begin there, or the file ends. `ofOurs`: only one that follows a fragment.
  private func isPlausible(at offset: Int, ofOurs: Bool = false) -> Bool {
    if offset == source.size { return true }
    // Not even a head fits there: the file was cut.
    if source.size - offset < 8 { return !ofOurs }
    guard let head = source.boxHead(at: offset) else { return false }
    switch head.type {
    case FourCharacters("moof"): return (head.length ?? 0) <= MovieFragment.longestMovie
    case FourCharacters("free"), FourCharacters("mfra"), FourCharacters("sidx"): return head.length != nil
    case FourCharacters("skip"), FourCharacters("wide"): return !ofOurs
    default: return false
    }
  }

  // MARK: - Searching

  /// How much is searched at once.
  private static let piece = 1 << 18
  /// What may be read in vain of what only looks like fragments: enough for what anybody loses by accident.
  private static let patience = 64 << 20

  /// What lies between `offset` and the next fragment, which is searched for from `start` on.
  private func passOver(from start: Int) -> Section {
    let next = search(from: start)
    return .damage(offset..<(next ?? source.size), atEnd: next == nil)
  }

  /// Where the next whole description of a fragment begins whose samples follow it.
  private func search(from start: Int) -> Int? {
    var offset = start
    var patience = Self.patience
    while offset < source.size - 8 {
      let bytes = source.some(Self.piece, at: offset)
      guard bytes.count >= 8 else { return nil }
      for index in Self.places(in: bytes) {
        let place = offset + index
        guard let length = likelyLength(at: place) else { continue }
        if movie(at: place) != nil, source.boxHead(at: place + length)?.type == FourCharacters("mdat") {
          return place
        }
        patience -= length
        if patience < 0 { return nil }
      }
      // A name may lie across two pieces.
      offset += bytes.count - 7
    }
    return nil
  }

  /// Where a box named `moof` may begin.
  private static func places(in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    bytes.withUnsafeBufferPointer { bytes in
      var index = 4
      while index <= bytes.count - 4 {
        // The last letter tells how far it is to the next place that may do.
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
    }
    return places
  }

  /// The length of what begins as a fragment of ours does; nil for anything else.
  private func likelyLength(at offset: Int) -> Int? {
    var bytes = BoxBytes(source.some(32, at: offset)[...])
    guard let head = try? BoxHead(&bytes), let length = head.length, length <= MovieFragment.longestMovie,
      length <= source.size - offset, (try? bytes.uint32()) == 16,
      (try? bytes.uint32()) == FourCharacters("mfhd").code
    else { return nil }
    return length
  }
}

extension RecordingWalk.Section {
  var range: Range<Int> {
    switch self {
    case .fragment(let fragment), .torn(let fragment, _): fragment.range
    case .space(let range), .index(_, let range), .damage(let range, _): range
    }
  }
}
