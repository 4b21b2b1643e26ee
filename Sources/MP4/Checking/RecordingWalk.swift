/// Iterates over the sections of a recording from front to end; skips damaged parts.
package struct RecordingWalk {
  package enum Section: Hashable, Sendable {
    case fragment(Fragment)
    /// A fragment with a complete `moof` and a damaged `mdat`; samples are there up to the end of `media`.
    case torn(Fragment, TornReason)
    case space(Range<Int>)
    /// A `sidx` or `mfra` box.
    case index(BoxType, Range<Int>)
    /// An unreadable range; `atEnd` if nothing follows it.
    case damage(Range<Int>, atEnd: Bool)
  }

  package enum TornReason: Hashable, Sendable {
    case cut
    /// All samples are there, but the `mdat` header is missing or has a wrong length.
    case mislabelled
  }

  private let source: RecordingBytes
  private let reader: FragmentReader
  private var offset: Int
  /// Without a head, the first fragment must be searched for.
  private var isSearching: Bool
  /// The latest search: where it began, and what it found. It serves every later one up to there.
  private var found: (from: Int, next: Int?)?

  package init(_ source: RecordingBytes, tracks: [RecordedTrack], from start: Int?) {
    self.source = source
    reader = FragmentReader(source, tracks: tracks)
    offset = start ?? 0
    isSearching = start == nil
  }

  package mutating func next() -> Section? {
    guard offset < source.size else { return nil }
    let section = isSearching ? skip(from: offset) : section(at: offset)
    isSearching = false
    offset = max(offset + 1, section.range.upperBound)
    return section
  }

  private mutating func section(at start: Int) -> Section {
    guard let head = source.boxHead(at: start) else { return skip(from: start + 1) }
    let end = head.length.flatMap { $0 <= source.size - start ? start + $0 : nil }
    switch head.type {
    case "moof":
      guard let (fragment, next) = reader.description(at: start) else { return skip(from: start + 1) }
      return withMedia(fragment, next)
    case "free", "skip", "wide":
      guard let end, isPlausible(at: end) else { return skip(from: start + 1) }
      return .space(start..<end)
    case "sidx", "mfra":
      guard let end, isPlausible(at: end) else { return skip(from: start + 1) }
      return .index(head.type, start..<end)
    default: return skip(from: start + 1)
    }
  }

  // MARK: - Fragments

  /// Determines where the samples of `fragment` really end; `head` is the header of the box after it.
  private mutating func withMedia(_ fragment: Fragment, _ head: BoxHead?) -> Section {
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
      // An `mdat` box that includes the next box has a wrong length.
      let swallows =
        needed < start + length && needed > content && isPlausible(at: needed, afterFragment: true)
      if !swallows {
        fragment.media = content..<start + length
        return .fragment(fragment)
      }
    }
    if needed <= source.size, isPlausible(at: needed, afterFragment: true) {
      fragment.media = content..<needed
      return .torn(fragment, .mislabelled)
    }
    let end = search(from: content) ?? source.size
    fragment.media = content..<max(content, min(end, needed))
    return .torn(fragment, .cut)
  }

  /// Whether a box or the end of the file is plausible here; `afterFragment` admits only valid successors.
  private func isPlausible(at offset: Int, afterFragment: Bool = false) -> Bool {
    if offset == source.size { return true }
    // Too short for a header: the file was truncated.
    if source.size - offset < 8 { return !afterFragment }
    guard let head = source.boxHead(at: offset) else { return false }
    switch head.type {
    case "moof": return (head.length ?? 0) <= Fragment.maxMovieLength
    case "free", "mfra", "sidx": return head.length != nil
    case "skip", "wide": return !afterFragment
    default: return false
    }
  }

  // MARK: - Searching

  private mutating func skip(from start: Int) -> Section {
    let next = search(from: start)
    return .damage(offset..<(next ?? source.size), atEnd: next == nil)
  }

  /// The offset of the next complete `moof` that an `mdat` follows.
  private mutating func search(from start: Int) -> Int? {
    if let found, found.from <= start, found.next.map({ start <= $0 }) ?? true { return found.next }
    let next = reader.search(from: start) { reader.description(at: $0)?.next?.type == "mdat" }
    found = (start, next)
    return next
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
