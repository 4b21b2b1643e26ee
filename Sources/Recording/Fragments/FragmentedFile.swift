package import HoldfastMediaModel
package import HoldfastPlatform

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
  private(set) var ends: [UInt32: Int64] = [:]

  /// Places from which nothing could be read until the next whole fragment.
  package private(set) var damages = 0

  /// Boxes that stand between fragments and hold nothing of them.
  private static let furniture: Set = [FourCharacters("free"), FourCharacters("sidx")]

  /// How much of a file's end is looked at first for where it ends.
  private static let endWindow = 1 << 20

  /// Reads the file that has `size` bytes, of which `read` gives a number from an offset on, or fewer at the end; `visit`
  /// sees each fragment.
  package init(
    size: Int, read: (_ count: Int, _ offset: Int) throws(FragmentedFileError) -> [UInt8],
    visit: (Fragment) throws(FragmentedFileError) -> Void = { _ in }
  ) throws(FragmentedFileError) {
    let scan = FragmentScan(size: size)
    self.init(head: try scan.head(read))
    try follow(scan, from: headLength, read, visit)
  }

  /// Reads no more of the file than it takes to know where it and each of its tracks end, so that a long one takes no
  /// longer than a short one. `fragments` are those that were read.
  package init(
    endOf size: Int, read: (_ count: Int, _ offset: Int) throws(FragmentedFileError) -> [UInt8]
  ) throws(FragmentedFileError) {
    let scan = FragmentScan(size: size)
    let head = try scan.head(read)
    var window = Self.endWindow
    while window < size - head.length {
      var known = Self(head: head)
      if let start = scan.search(from: size - window, known, read) {
        try known.follow(scan, from: start, read) { (_) throws(FragmentedFileError) in }
      }
      // One alone may be bytes that happen to look like it.
      if known.fragments > 1, known.ends.count == known.tracks.count {
        self = known
        return
      }
      window *= 8
    }
    try self.init(size: size, read: read)
  }

  private init(head: (tracks: [RecordedTrack], length: Int)) {
    tracks = head.tracks
    headLength = head.length
    wholeLength = head.length
  }

  private mutating func follow(
    _ scan: FragmentScan, from start: Int, _ read: FragmentScan.Reading,
    _ visit: (Fragment) throws(FragmentedFileError) -> Void
  ) throws(FragmentedFileError) {
    var offset = start
    var strangers = 0
    while offset < scan.size {
      switch scan.next(at: offset, tracks: tracks, read) {
      case .fragment(let fragment):
        add(fragment)
        tail = .nothing
        strangers = 0
        offset = fragment.end
        try visit(fragment)
        continue
      case .box(let type, let end):
        if !Self.furniture.contains(type) {
          tail = type == FourCharacters("mfra") ? .index : .torn
        } else if fragments == 0, wholeLength == offset {
          wholeLength = end
        }
        strangers += 1
        offset = end
        // Bytes that happen to look like boxes are none.
        if strangers <= FragmentScan.mostStrangers { continue }
      case .torn: break
      }
      tail = .torn
      // What comes behind a damage is not to be lost with it.
      guard let next = scan.search(from: offset + 1, self, read) else { return }
      damages += 1
      strangers = 0
      offset = next
    }
  }

  /// Whether `fragment` belongs behind all that has been read.
  func isFollowed(by fragment: Fragment) -> Bool {
    fragment.sequenceNumber > lastSequenceNumber && !fragment.parts.isEmpty
      && fragment.parts.allSatisfy { $0.start >= ends[$0.track] ?? 0 }
  }

  /// Reads the file that is open as `file`.
  package init(
    _ file: borrowing FileDescriptor, visit: (Fragment) throws(FragmentedFileError) -> Void = { _ in }
  ) throws(FragmentedFileError) {
    file.expectScatteredReads()
    let size = try Self.readable { () throws(SystemError) in try file.size() }
    try self.init(
      size: size,
      read: { (count, offset) throws(FragmentedFileError) in
        try Self.readable { () throws(SystemError) in try file.bytes(count, at: offset) }
      }, visit: visit)
  }

  /// Reads the end of the file that is open as `file`.
  package init(endOf file: borrowing FileDescriptor) throws(FragmentedFileError) {
    let size = try Self.readable { () throws(SystemError) in try file.size() }
    try self.init(
      endOf: size,
      read: { (count, offset) throws(FragmentedFileError) in
        try Self.readable { () throws(SystemError) in try file.bytes(count, at: offset) }
      })
  }

  /// Visits the whole fragments from `start` on. False where there are none in an unbroken row until the last of them.
  func visitFragments(
    of file: borrowing FileDescriptor, from start: Int, _ visit: (Fragment) -> Void
  ) throws(FragmentedFileError) -> Bool {
    let scan = FragmentScan(size: wholeLength)
    var offset = start
    while offset < wholeLength {
      let found = scan.next(at: offset, tracks: tracks) { (count, offset) throws(FragmentedFileError) in
        try Self.readable { () throws(SystemError) in try file.bytes(count, at: offset) }
      }
      switch found {
      case .fragment(let fragment):
        visit(fragment)
        offset = fragment.end
      case .box(_, let end): offset = end
      case .torn: return false
      }
    }
    return true
  }

  private mutating func add(_ fragment: Fragment) {
    fragments += 1
    lastSequenceNumber = max(lastSequenceNumber, fragment.sequenceNumber)
    wholeLength = fragment.end
    for part in fragment.parts { ends[part.track] = max(ends[part.track] ?? 0, part.end) }
  }

  private static func readable<Result>(_ body: () throws(SystemError) -> Result) throws(FragmentedFileError)
    -> Result
  {
    do throws(SystemError) { return try body() } catch { throw .unreadable("\(error)") }
  }

  /// Where the track that is meant by `kind` ends; nil where there is none, 0 where it has nothing yet.
  package func end(of kind: TrackKind) -> MediaTime? {
    tracks.first { $0.kind == kind }.map { MediaTime(ticks: ends[$0.id] ?? 0, timescale: $0.timescale) }
  }

  /// Where the longest track ends.
  package var end: MediaTime { TrackKind.allCases.compactMap(end(of:)).max() ?? .zero }
}
