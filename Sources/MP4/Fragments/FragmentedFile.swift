package import HoldfastMediaModel

/// A fragmented MP4 file as far as it is whole: its head, and the fragments that follow.
///
/// Any bytes can be read. Nothing but heads of boxes and the descriptions of fragments is, each within a limit, so that
/// it takes little time and always the same memory, however long the recording.
package struct FragmentedFile: Hashable, Sendable {
  /// What follows the last whole fragment.
  package enum Tail: Hashable, Sendable {
    case nothing
    /// What a clean end leaves: an index of the fragments.
    case index
    /// A fragment that is not whole, or what nobody can read.
    case torn
  }

  package let tracks: [RecordedTrack]
  /// Of everything in front of the first fragment.
  package let headLength: Int
  package private(set) var fragments = 0
  package private(set) var lastSequenceNumber: UInt32 = 0
  /// Where the last whole fragment ends; what comes next belongs here.
  package private(set) var wholeLength: Int
  package private(set) var tail = Tail.nothing
  /// Where each track ends, in its ticks.
  package private(set) var ends: [UInt32: Int64] = [:]

  /// Places from which nothing could be read until the next whole fragment.
  package private(set) var damages = 0

  /// Boxes between fragments that hold nothing of them.
  private static let paddingBoxes: Set<FourCC> = ["free", "sidx"]
  /// So many other boxes in a row are bytes that happen to look like boxes.
  private static let maxUnknownBoxes = 64

  /// How much of a file's end is looked at first for where it ends.
  private static let endWindow = 1 << 20

  /// Reads all of `source`; `visit` sees each fragment.
  package init(
    _ source: RecordingBytes, visit: (Fragment) -> Void = { _ in }
  ) throws(FragmentedFileError) {
    try self.init(headOf: source)
    follow(source, from: headLength, visit)
  }

  /// Reads no more of `source` than it takes to know where it and each of its tracks end, so that a long one takes no
  /// longer than a short one. `fragments` are those that were read.
  package init(endOf source: RecordingBytes) throws(FragmentedFileError) {
    let empty = try FragmentedFile(headOf: source)
    var window = Self.endWindow
    while window < source.size - empty.headLength {
      var known = empty
      if let start = known.search(source, from: source.size - window) {
        known.follow(source, from: start) { _ in }
      }
      // One alone may be bytes that happen to look like it.
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
    wholeLength = movie.end
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
      // What comes behind a damage is not to be lost with it.
      guard let next = search(source, from: offset + 1) else { return }
      damages += 1
      unknownBoxes = 0
      offset = next
    }
  }

  /// Where the next whole fragment begins that belongs behind all that has been read.
  private func search(_ source: RecordingBytes, from start: Int) -> Int? {
    let reader = FragmentReader(source, tracks: tracks)
    return reader.search(from: start) { reader.fragment(at: $0).map(isFollowed) ?? false }
  }

  private func isFollowed(by fragment: Fragment) -> Bool {
    fragment.number > lastSequenceNumber && !fragment.parts.isEmpty
      && fragment.parts.allSatisfy { $0.start >= ends[$0.track] ?? 0 }
  }

  /// Visits the whole fragments from `start` on. False where there are none in an unbroken row until the last of them.
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

  private mutating func add(_ fragment: Fragment) {
    fragments += 1
    lastSequenceNumber = max(lastSequenceNumber, fragment.number)
    wholeLength = fragment.range.upperBound
    for part in fragment.parts { ends[part.track] = max(ends[part.track] ?? 0, part.end) }
  }

  /// Where the track that is meant by `kind` ends; nil where there is none, 0 where it has nothing yet.
  package func end(of kind: TrackKind) -> MediaTime? {
    tracks.first { $0.kind == kind }.map { MediaTime(ticks: ends[$0.id] ?? 0, timescale: $0.timescale) }
  }

  /// Where the longest track ends.
  package var end: MediaTime { TrackKind.allCases.compactMap(end(of:)).max() ?? .zero }
}

extension RecordingBytes {
  /// A box that is all there, and is no fragment.
  fileprivate func otherBox(at offset: Int) -> (FourCC, end: Int)? {
    guard let head = boxHead(at: offset), head.type != "moof", let length = head.length,
      length <= size - offset
    else { return nil }
    return (head.type, offset + length)
  }
}
