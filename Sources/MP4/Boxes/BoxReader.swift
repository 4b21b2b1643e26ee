import HoldfastMediaModel

/// A bounds-checked reader of the numbers and boxes of an MP4 file.
struct BoxReader: Hashable, Sendable {
  /// A box whose content is complete.
  struct Box {
    let type: BoxType
    let content: BoxReader
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var count: Int { rest.count }
  /// What is not read yet.
  var bytes: ArraySlice<UInt8> { rest }

  mutating func number(bytes count: Int) throws(FragmentedFileError) -> UInt64 {
    guard rest.count >= count else { throw .damaged("a truncated box") }
    let end = rest.startIndex + count
    defer { rest = rest[end..<rest.endIndex] }
    return rest[rest.startIndex..<end].bigEndian
  }

  mutating func uint32() throws(FragmentedFileError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(bytes: 4))
  }

  mutating func skip(_ count: Int) throws(FragmentedFileError) {
    guard rest.count >= count else { throw .damaged("a truncated box") }
    rest = rest.dropFirst(count)
  }

  mutating func versionAndFlags() throws(FragmentedFileError) -> (version: Int, flags: UInt32) {
    let word = try uint32()
    return (Int(word >> 24), word & 0xFF_FFFF)
  }

  /// Reads the next box; a truncated one is an error.
  mutating func box() throws(FragmentedFileError) -> Box {
    let all = rest.count
    let head = try BoxHead(&self)
    let length = head.length ?? all
    guard length <= all else { throw .damaged("a box is longer than its container") }
    let content = rest.prefix(length - head.size)
    rest = rest.dropFirst(content.count)
    return Box(type: head.type, content: BoxReader(content))
  }

  /// The boxes that fill the remaining bytes.
  func boxes() throws(FragmentedFileError) -> [Box] {
    var left = self
    var boxes: [Box] = []
    while !left.isAtEnd { boxes.append(try left.box()) }
    return boxes
  }

  func content(of path: BoxType...) throws(FragmentedFileError) -> BoxReader? {
    var content = self
    for type in path {
      guard let box = try content.boxes().first(where: { $0.type == type }) else { return nil }
      content = box.content
    }
    return content
  }

  /// The field after the creation and modification times of a `tkhd` or `mdhd` box.
  func fieldAfterTimes() throws(FragmentedFileError) -> UInt32 {
    var content = self
    try content.skip(try content.versionAndFlags().version == 1 ? 16 : 8)
    return try content.uint32()
  }
}

struct BoxHead: Hashable, Sendable {
  static let maxSize = 16

  let type: BoxType
  /// Length of the box, header included; nil for a box that extends to the end of the file.
  let length: Int?
  let size: Int

  init(_ bytes: inout BoxReader) throws(FragmentedFileError) {
    let short = try bytes.uint32()
    type = BoxType(try bytes.uint32())
    size = short == 1 ? 16 : 8
    let long = short == 1 ? try bytes.number(bytes: 8) : UInt64(short)
    guard long != 0 else {
      length = nil
      return
    }
    guard long >= UInt64(size), let length = Int(exactly: long) else {
      throw .damaged("an impossible box length")
    }
    self.length = length
  }
}
