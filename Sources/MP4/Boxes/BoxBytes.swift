/// Reads the numbers and boxes of an MP4 file from bytes, from the front, and nothing behind their end.
struct BoxBytes: Hashable, Sendable {
  /// A box within bytes that are all there.
  struct Box {
    let type: FourCC
    let content: BoxBytes
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }
  var count: Int { rest.count }

  mutating func number(bytes count: Int) throws(FragmentedFileError) -> UInt64 {
    guard rest.count >= count else { throw .damaged("a box ends early") }
    var value: UInt64 = 0
    for index in rest.startIndex..<rest.startIndex + count { value = value << 8 | UInt64(rest[index]) }
    rest = rest.dropFirst(count)
    return value
  }

  mutating func uint32() throws(FragmentedFileError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(bytes: 4))
  }

  mutating func skip(_ count: Int) throws(FragmentedFileError) {
    guard rest.count >= count else { throw .damaged("a box ends early") }
    rest = rest.dropFirst(count)
  }

  /// Version and flags, as many boxes begin.
  mutating func versionAndFlags() throws(FragmentedFileError) -> (version: Int, flags: UInt32) {
    let word = try uint32()
    return (Int(word >> 24), word & 0xFF_FFFF)
  }

  /// The next box; its content is all there.
  mutating func box() throws(FragmentedFileError) -> Box {
    let all = rest.count
    let head = try BoxHead(&self)
    let length = head.length ?? all
    guard length <= all else { throw .damaged("a box is longer than what it lies in") }
    let content = rest.prefix(length - head.size)
    rest = rest.dropFirst(content.count)
    return Box(type: head.type, content: BoxBytes(content))
  }

  /// The boxes that it holds, one after another.
  func boxes() throws(FragmentedFileError) -> [Box] {
    var left = self
    var boxes: [Box] = []
    while !left.isAtEnd { boxes.append(try left.box()) }
    return boxes
  }
}
