/// Reads the numbers and boxes of an MP4 file from bytes, from the front, and nothing behind their end.
struct BoxBytes: Hashable, Sendable {
  /// A box within bytes that are all there.
  struct Box {
    let type: FourCharacters
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

/// What stands in front of a box.
struct BoxHead: Hashable, Sendable {
  /// The largest that there is.
  static let most = 16

  let type: FourCharacters
  /// With this head; nil for a box that goes on until the end of the file.
  let length: Int?
  /// Of this head.
  let size: Int

  init(_ bytes: inout BoxBytes) throws(FragmentedFileError) {
    let short = try bytes.uint32()
    type = FourCharacters(try bytes.uint32())
    size = short == 1 ? 16 : 8
    let long = short == 1 ? try bytes.number(bytes: 8) : UInt64(short)
    guard long != 0 else {
      length = nil
      return
    }
    guard long >= UInt64(size), let length = Int(exactly: long) else { throw .damaged("no box is that long") }
    self.length = length
  }
}

/// The name of a kind of boxes.
struct FourCharacters: Hashable, Sendable {
  let code: UInt32

  init(_ code: UInt32) {
    self.code = code
  }

  /// Of ASCII letters.
  init(_ name: StaticString) {
    code = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      .reduce(0) { $0 << 8 | UInt32($1) }
  }
}
