/// Reads a recording from its front to its end, whatever has become of it, a fragment at a time.
///
/// Any bytes can be walked over. What is not whole is passed over until the next fragment that can be read.
package struct RecordingWalk {
  package enum Section: Hashable, Sendable {
    case fragment(Fragment)
    /// Its description is whole, but the box of its samples is not: they are there as far as `media` reaches.
    case torn(Fragment, TornReason)
    /// Room that was left.
    case space(Range<Int>)
    /// `sidx` or `mfra`.
    case index(FourCC, Range<Int>)
    /// Nobody can read it. `atEnd`: nothing follows.
    case damage(Range<Int>, atEnd: Bool)
  }

  package enum TornReason: Hashable, Sendable {
    /// Bytes of the samples are missing.
    case cut
    /// All samples are there, but the box that holds them claims another length, or is none.
    case mislabelled
  }

  private let source: RecordingBytes
  private let reader: FragmentReader
  private var offset: Int
  /// Where nothing is left of the head, the fragments have to be searched for.
  private var isSearching: Bool

  package init(_ source: RecordingBytes, tracks: [RecordedTrack], from start: Int?) {
    self.source = source
    reader = FragmentReader(source, tracks: tracks)
    offset = start ?? 0
    isSearching = start == nil
  }

  /// Nil at the end of the file.
  package mutating func next() -> Section? {
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
    case "moof":
      guard let (fragment, next) = reader.description(at: start) else { return passOver(from: start + 1) }
      return withMedia(fragment, next)
    case "free", "skip", "wide":
      guard let end, isPlausible(at: end) else { return passOver(from: start + 1) }
      return .space(start..<end)
    case "sidx", "mfra":
      guard let end, isPlausible(at: end) else { return passOver(from: start + 1) }
      return .index(head.type, start..<end)
    default: return passOver(from: start + 1)
    }
  }

  // MARK: - Fragments

  /// Finds out where the samples of `fragment`, behind which `head` lies, really end.
  private func withMedia(_ fragment: Fragment, _ head: BoxHead?) -> Section {
    var fragment = fragment
    let start = fragment.movie.upperBound
    let isNamed = head?.type == "mdat"
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
    case "moof": return (head.length ?? 0) <= Fragment.maxMovieLength
    case "free", "mfra", "sidx": return head.length != nil
    case "skip", "wide": return !ofOurs
    default: return false
    }
  }

  // MARK: - Searching

  /// What lies between `offset` and the next fragment, which is searched for from `start` on.
  private func passOver(from start: Int) -> Section {
    let next = search(from: start)
    return .damage(offset..<(next ?? source.size), atEnd: next == nil)
  }

  /// Where the next whole description of a fragment begins whose samples follow it.
  private func search(from start: Int) -> Int? {
    reader.search(from: start) { reader.description(at: $0)?.next?.type == "mdat" }
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
