/// A recording's bytes, wherever they are.
package struct RecordingBytes: Sendable {
  package typealias Reading =
    @Sendable (_ count: Int, _ offset: Int) throws(FragmentedFileError) -> [UInt8]

  package let size: Int
  private let read: Reading

  /// `read` gives a number of bytes from an offset on, or fewer at the end.
  package init(size: Int, read: @escaping Reading) {
    self.size = size
    self.read = read
  }

  /// What lies in memory.
  package init(_ bytes: [UInt8]) {
    size = bytes.count
    read = { count, offset in
      let start = min(max(0, offset), bytes.count)
      return Array(bytes[start..<min(bytes.count, start + max(0, count))])
    }
  }

  /// All bytes of `range`: a file that has become shorter is an error.
  func all(_ range: Range<Int>) throws(FragmentedFileError) -> [UInt8] {
    let bytes = try read(range.count, range.lowerBound)
    guard bytes.count == range.count else { throw .damaged("it has become shorter") }
    return bytes
  }

  /// Up to `count` bytes; none where they can't be read.
  func some(_ count: Int, at offset: Int) -> [UInt8] {
    let count = min(count, size - offset)
    guard count > 0, let bytes = try? read(count, offset) else { return [] }
    return bytes
  }

  /// What stands in front of the box at `offset`; nil where no box can begin.
  func boxHead(at offset: Int) -> BoxHead? {
    var bytes = BoxBytes(some(BoxHead.most, at: offset)[...])
    return try? BoxHead(&bytes)
  }
}
