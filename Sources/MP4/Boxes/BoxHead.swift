/// The length and the type in front of a box's content.
struct BoxHead: Hashable, Sendable {
  static let maxSize = 16

  let type: FourCC
  /// With this head; nil for a box that goes on until the end of the file.
  let length: Int?
  /// Of this head.
  let size: Int

  init(_ bytes: inout BoxBytes) throws(FragmentedFileError) {
    let short = try bytes.uint32()
    type = FourCC(try bytes.uint32())
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
