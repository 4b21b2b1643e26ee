import HoldfastCVideo4Linux
import HoldfastMediaModel
import HoldfastPlatform

/// An open video device with V4L2's single-planar API; multi-planar devices are pipelines on SoCs.
final class V4L2Device: Sendable {
  let path: String
  let descriptor: Int32

  private static let silenceLibrary: Void = cv4l_silence()

  init(path: String) throws(SystemError) {
    Self.silenceLibrary
    descriptor = try check("open") { cv4l_open(path) }
    self.path = path
  }

  deinit { v4l2_close(descriptor) }

  struct Identity {
    let name: String
    let isCamera: Bool
  }

  func identity() throws(SystemError) -> Identity {
    var answer = v4l2_capability()
    try request("VIDIOC_QUERYCAP", cv4l_VIDIOC_QUERYCAP, &answer)
    let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let capabilities = hasOwn ? answer.device_caps : answer.capabilities
    let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    return Identity(name: Self.text(answer.card), isCamera: capabilities & needed == needed)
  }

  struct PictureFormat {
    let code: V4L2FourCC
    let size: PictureSize
    /// 0 if unknown.
    let bytesPerLine: Int
  }

  /// Sets the nearest format and returns it.
  func setFormat(_ code: V4L2FourCC, _ size: PictureSize) throws(SystemError) -> PictureFormat {
    try negotiate("VIDIOC_S_FMT", cv4l_VIDIOC_S_FMT, code, size)
  }

  /// The format that `setFormat` would set.
  func tryFormat(_ code: V4L2FourCC, _ size: PictureSize) throws(SystemError) -> PictureFormat {
    try negotiate("VIDIOC_TRY_FMT", cv4l_VIDIOC_TRY_FMT, code, size)
  }

  private func negotiate(
    _ name: String, _ number: UInt, _ code: V4L2FourCC, _ size: PictureSize
  ) throws(SystemError) -> PictureFormat {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    format.fmt.pix.width = UInt32(clamping: size.width)
    format.fmt.pix.height = UInt32(clamping: size.height)
    format.fmt.pix.pixelformat = code.code
    format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
    try request(name, number, &format)
    return PictureFormat(
      code: V4L2FourCC(code: format.fmt.pix.pixelformat),
      size: PictureSize(width: Int(format.fmt.pix.width), height: Int(format.fmt.pix.height)),
      bytesPerLine: Int(format.fmt.pix.bytesperline))
  }

  /// Sets the nearest rate and returns it; nil if the driver cannot set a rate.
  func setFrameRate(_ rate: FrameRate) throws(SystemError) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    parameters.parm.capture.timeperframe.numerator = UInt32(clamping: rate.denominator)
    parameters.parm.capture.timeperframe.denominator = UInt32(clamping: rate.numerator)
    do {
      try request("VIDIOC_S_PARM", cv4l_VIDIOC_S_PARM, &parameters)
    } catch  where CameraFailure.meansUnsupported(error) {
      return nil
    }
    let interval = parameters.parm.capture.timeperframe
    return FrameRate(numerator: Int(interval.denominator), denominator: Int(interval.numerator))
  }

  func request<Argument>(_ name: String, _ number: UInt, _ argument: inout Argument) throws(SystemError) {
    try check(name) { withUnsafeMutablePointer(to: &argument) { cv4l_ioctl(descriptor, number, $0) } }
  }

  /// The text of a fixed-size field of the kernel.
  static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// A V4L2 format code, such as `YUYV`.
package struct V4L2FourCC: Hashable, Sendable, CustomStringConvertible {
  package let code: UInt32

  package init(code: UInt32) { self.code = code }

  init(_ letters: StaticString) {
    code = letters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static let mjpeg = V4L2FourCC("MJPG")
  /// Like MJPG, with all tables in each picture.
  static let jpeg = V4L2FourCC("JPEG")
  static let h264 = V4L2FourCC("H264")

  /// The letters, without the top bit, which marks big-endian variants.
  package var description: String {
    let letters = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: code >> $0) & 0x7F }
    var text = String(decoding: letters, as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return text
  }
}
