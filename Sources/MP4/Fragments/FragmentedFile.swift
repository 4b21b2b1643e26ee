package import HoldfastMediaModel

/// A fragmented MP4 file up to its last complete sample.
///
/// Accepts any bytes. Only box headers and `moof` boxes are read, each with a size limit, so memory is
/// constant however long the recording is.
package struct FragmentedFile: Hashable, Sendable {
  package enum Tail: Hashable, Sendable {
    case nothing
    case index
    /// An incomplete fragment, or unreadable bytes.
    case torn
  }

  package let tracks: [RecordedTrack]
  package let headLength: Int
  package private(set) var fragments = 0
  package private(set) var lastSequenceNumber: UInt32 = 0
  /// End of the last complete sample, where the next fragment is appended.
  package private(set) var wholeLength: Int
  package private(set) var tail = Tail.nothing
  /// The index in front is not closed yet, or was never written.
  private let hasOpenIndex: Bool
  /// The head of the last fragment, if the file ends within it and what is there counts as whole.
  package private(set) var shorterHead: Patch?
  /// The head of a fragment that a power cut has torn, as it was when it was last synchronized.
  package private(set) var restoredHead: Patch?
  /// End of each track, in its ticks.
  package private(set) var ends: [UInt32: Int64] = [:]

  /// Number of unreadable ranges before a complete fragment.
  package private(set) var damages = 0

  /// Boxes between fragments that carry no media.
  private static let paddingBoxes: Set<BoxType> = ["free", "sidx"]
  /// More other boxes than this in a row are bytes that happen to look like boxes.
  private static let maxUnknownBoxes = 64

  private static let endWindow = 1 << 20

  /// Reads all of `source`; `visit` receives each fragment.
  package init(
    _ source: RecordingBytes, visit: (Fragment) -> Void = { _ in }
  ) throws(FragmentedFileError) {
    try self.init(headOf: source)
    follow(restored(source), from: headLength, visit)
  }

  /// Finds the end of `source` and of each track from the last fragments alone, so that a long file takes no
  /// longer than a short one. `fragments` counts only those that were read.
  package init(endOf source: RecordingBytes) throws(FragmentedFileError) {
    var empty = try FragmentedFile(headOf: source)
    let source = empty.restored(source)
    var window = Self.endWindow
    while window < source.size - empty.headLength {
      var known = empty
      if let start = known.search(source, from: source.size - window) {
        known.follow(source, from: start) { _ in }
      }
      // A single match may be coincidental.
      if known.fragments > 1, known.ends.count == known.tracks.count {
        self = known
        return
      }
      window *= 8
    }
    self = empty
    follow(source, from: headLength) { _ in }
  }

  private init(headOf source: RecordingBytes) throws(FragmentedFileError) {
    let movie = try source.movie()
    tracks = try RecordedTrack.tracks(ofMovie: movie.content)
    headLength = movie.end
    hasOpenIndex = source.boxHead(at: movie.end)?.type == "free"
    wholeLength = movie.end
  }

  private mutating func restored(_ source: RecordingBytes) -> RecordingBytes {
    restoredHead = HeadCopies(in: source, from: headLength)?.restoration(of: source, tracks)
    return restoredHead.map(source.patched) ?? source
  }

  private mutating func follow(_ source: RecordingBytes, from start: Int, _ visit: (Fragment) -> Void) {
    let reader = FragmentReader(source, tracks: tracks)
    var offset = start
    var unknownBoxes = 0
    while offset < source.size {
      if let fragment = reader.fragment(at: offset) {
        add(fragment)
        tail = .nothing
        unknownBoxes = 0
        offset = fragment.range.upperBound
        visit(fragment)
        continue
      }
      if let (type, end) = source.otherBox(at: offset) {
        if !Self.paddingBoxes.contains(type) {
          tail = type == "mfra" ? .index : .torn
        } else if fragments == 0, wholeLength == offset {
          wholeLength = end
        }
        unknownBoxes += 1
        offset = end
        if unknownBoxes <= Self.maxUnknownBoxes { continue }
      }
      tail = .torn
      // Fragments after damaged bytes are kept.
      guard let next = search(source, from: offset + 1) else { return keep(reader.cutFragment(at: offset)) }
      damages += 1
      unknownBoxes = 0
      offset = next
    }
  }

  /// The offset of the next complete fragment that continues those already read.
  private func search(_ source: RecordingBytes, from start: Int) -> Int? {
    let reader = FragmentReader(source, tracks: tracks)
    return reader.search(from: start) { reader.fragment(at: $0).map(isFollowed) ?? false }
  }

  private func isFollowed(by fragment: Fragment) -> Bool {
    fragment.number > lastSequenceNumber && !fragment.parts.isEmpty
      && fragment.parts.allSatisfy { $0.start >= ends[$0.track] ?? 0 }
  }

  /// Visits the complete fragments up to `wholeLength`; false if unreadable bytes are between them.
  func visitFragments(of source: RecordingBytes, from start: Int, _ visit: (Fragment) -> Void) -> Bool {
    let reader = FragmentReader(source, tracks: tracks)
    var offset = start
    while offset < wholeLength {
      if let fragment = reader.fragment(at: offset) {
        visit(fragment)
        offset = fragment.range.upperBound
      } else if let (_, end) = source.otherBox(at: offset) {
        offset = end
      } else {
        return false
      }
    }
    return true
  }

  private mutating func keep(_ cut: CutFragment?) {
    guard let cut, isFollowed(by: cut.fragment) else { return }
    add(cut.fragment)
    shorterHead = cut.head
  }

  private mutating func add(_ fragment: Fragment) {
    fragments += 1
    lastSequenceNumber = max(lastSequenceNumber, fragment.number)
    wholeLength = fragment.range.upperBound
    for part in fragment.parts { ends[part.track] = max(ends[part.track] ?? 0, part.end) }
  }

  /// Whether both indexes are there, as after a clean end.
  package var isFinished: Bool { tail == .index && !hasOpenIndex }

  package func end(of kind: TrackKind) -> MediaTime? {
    tracks.first { $0.kind == kind }.map { $0.time(ends[$0.id] ?? 0) }
  }

  package var end: MediaTime { TrackKind.allCases.compactMap(end(of:)).max() ?? .zero }
}

extension RecordingBytes {
  fileprivate func otherBox(at offset: Int) -> (BoxType, end: Int)? {
    guard let head = boxHead(at: offset), head.type != "moof", let length = head.length,
      length <= size - offset
    else { return nil }
    return (head.type, offset + length)
  }
}
