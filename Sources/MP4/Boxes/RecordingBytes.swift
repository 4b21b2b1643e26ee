/// Random access to the bytes of a recording, in a file or in memory.
package struct RecordingBytes: Sendable {
  package typealias Reading =
    @Sendable (_ count: Int, _ offset: Int) throws(FragmentedFileError) -> [UInt8]

  package let size: Int
  private let read: Reading

  /// `read` returns `count` bytes from `offset`, or fewer at the end of the file.
  package init(size: Int, read: @escaping Reading) {
    self.size = size
    self.read = read
  }

  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { count, offset in Array(bytes.dropFirst(offset).prefix(count)) }
  }

  /// The same with the bytes of `patch` in their place.
  func patched(by patch: Patch) -> RecordingBytes {
    RecordingBytes(size: size) { [read] (count, offset) throws(FragmentedFileError) in
      var bytes = try read(count, offset)
      let shared = (offset..<offset + bytes.count).clamped(
        to: patch.offset..<patch.offset + patch.bytes.count)
      for place in shared { bytes[place - offset] = patch.bytes[place - patch.offset] }
      return bytes
    }
  }

  /// The same with the head that a power cut has torn as it was when it was last synchronized.
  package func restored() -> RecordingBytes {
    guard let movie = try? movie(), let tracks = try? RecordedTrack.tracks(ofMovie: movie.content),
      let copies = HeadCopies(in: self, from: movie.end),
      let head = copies.restoration(of: self, tracks)
    else { return self }
    return patched(by: head)
  }

  /// All bytes of `range`; throws if the file has been truncated.
  package func all(_ range: Range<Int>) throws(FragmentedFileError) -> [UInt8] {
    let bytes = try read(range.count, range.lowerBound)
    guard bytes.count == range.count else { throw .damaged("it was truncated") }
    return bytes
  }

  /// Up to `count` bytes; empty if they cannot be read.
  func some(_ count: Int, at offset: Int) -> [UInt8] {
    let count = min(count, size - offset)
    guard count > 0, let bytes = try? read(count, offset) else { return [] }
    return bytes
  }

  /// The header of the box at `offset`; nil if no box can begin there.
  func boxHead(at offset: Int) -> BoxHead? {
    var bytes = BoxReader(some(BoxHead.maxSize, at: offset)[...])
    return try? BoxHead(&bytes)
  }

  /// More boxes than this are not between a head and the first fragment.
  private static let maxBoxesBeforeFragments = 8

  /// Where the `free` box that begins with `mark`, and has this length if one is given, is between the head that ends at
  /// `start` and the first fragment.
  func space(marked mark: [UInt8], length: Int? = nil, from start: Int) -> Int? {
    var offset = start
    for _ in 0..<Self.maxBoxesBeforeFragments {
      guard let box = boxHead(at: offset), box.type != "moof", let found = box.length else { return nil }
      if box.type == "free", found == length ?? found, some(mark.count, at: offset + Box.headLength) == mark {
        return offset
      }
      guard found <= size - offset else { return nil }
      offset += found
    }
    return nil
  }

  /// The content of `moov`, and the offset at which the fragments begin.
  func movie() throws(FragmentedFileError) -> (content: BoxReader, end: Int) {
    let limit = 1 << 20
    var offset = 0
    while offset < limit {
      var front = BoxReader(try read(max(0, min(BoxHead.maxSize, size - offset)), offset)[...])
      guard let head = try? BoxHead(&front), let length = head.length, length <= size - offset else {
        throw .foreign("its head is incomplete")
      }
      guard offset > 0 || head.type == "ftyp" else { throw .foreign("it does not begin with ftyp") }
      let end = offset + length
      if head.type == "moov" {
        guard length <= limit else { throw .tooLarge("a head of \(length) bytes") }
        return (BoxReader(try all(offset + head.size..<end)[...]), end)
      }
      offset = end
    }
    throw .foreign("its head is missing")
  }
}

/// Why a file cannot be read or continued as a fragmented MP4 file.
package enum FragmentedFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case damaged(String)
  /// Not fragmented MP4, or the head is incomplete.
  case foreign(String)
  /// A size or count above the limits for a recording.
  case tooLarge(String)
  case unreadable(String)

  var what: String {
    switch self {
    case .damaged(let what), .foreign(let what), .tooLarge(let what), .unreadable(let what): what
    }
  }

  package var description: String {
    switch self {
    case .damaged(let what): "damaged: \(what)"
    case .foreign(let what): "not fragmented MP4: \(what)"
    case .tooLarge(let what): "too large: \(what)"
    case .unreadable(let what): what
    }
  }
}
