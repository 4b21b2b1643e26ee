/// The four letters by which V4L2 names a format, `YUYV` for one.
package struct V4L2FourCC: Hashable, Sendable {
  package let code: UInt32

  package init(code: UInt32) {
    self.code = code
  }

  init(_ letters: StaticString) {
    code = letters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static let mjpeg = V4L2FourCC("MJPG")
  /// A picture with all its tables; to a decoder it is the same.
  static let jpeg = V4L2FourCC("JPEG")
  static let h264 = V4L2FourCC("H264")
}

extension V4L2FourCC: CustomStringConvertible {
  /// The letters; the highest bit, which marks the big-endian variants, is left out.
  package var description: String {
    let letters = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: code >> $0) & 0x7F }
    var text = String(decoding: letters, as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return text
  }
}
