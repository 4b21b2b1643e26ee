import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Reads pictures of an X screen, with its pointer, by libavdevice's x11grab. Every call blocks for as long as the X
/// server does not answer.
package struct ScreenReader: ~Copyable {
  package let size: PictureSize
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let format: AVPixelFormat
  private let packet: Packet

  /// False if libavdevice is not installed. Loads it, without its log lines.
  package static let isAvailable = {
    silenceFFmpeg()
    return cff_register_devices() != 0
  }()
  /// The name of libavdevice's file.
  package static var library: String { String(cString: cff_avdevice_name) }

  /// x11grab's own pace, by the wall clock, never waits when it is called more rarely than this.
  private static let framesPerSecond = 1000

  /// Opens the area at `x`, `y` of a screen such as `:0.0`.
  package init(display: String, x: Int, y: Int, size: PictureSize) throws(FFmpegError) {
    guard Self.isAvailable else { throw FFmpegError(operation: Self.library, code: cff_AVERROR_ENOSYS) }
    let packet = try Packet()
    var context: UnsafeMutablePointer<AVFormatContext>?
    var options = OptionDictionary([
      ("grab_x", "\(x)"), ("grab_y", "\(y)"), ("video_size", "\(size)"),
      ("framerate", "\(Self.framesPerSecond)"), ("draw_mouse", "1"),
    ])
    try check(
      avformat_open_input(&context, display, av_find_input_format("x11grab"), &options.raw),
      "open the screen \(display)")
    guard let opened = context, opened.pointee.nb_streams > 0,
      let parameters = opened.pointee.streams[0]?.pointee.codecpar
    else {
      avformat_close_input(&context)
      throw .outOfMemory("open the screen \(display)")
    }
    self.context = opened
    self.packet = packet
    self.size = PictureSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    format = AVPixelFormat(rawValue: parameters.pointee.format)
  }

  deinit { release(context, avformat_close_input) }

  /// The screen as it is now, in memory that the X server has filled.
  package mutating func next() throws(FFmpegError) -> Frame {
    av_packet_unref(packet.raw)
    try check(av_read_frame(context, packet.raw), "av_read_frame")
    let frame = try Frame(describing: size, format)
    let (raw, bytes) = (frame.raw, packet.raw.pointee)
    let wanted = av_image_get_buffer_size(format, Int32(size.width), Int32(size.height), 1)
    guard let data = bytes.data, let buffer = bytes.buf, wanted > 0, bytes.size >= wanted else {
      throw FFmpegError(operation: "picture of \(bytes.size) bytes for \(size)", code: cff_AVERROR_EINVAL)
    }
    raw.pointee.buf.0 = av_buffer_ref(buffer)
    guard raw.pointee.buf.0 != nil else { throw .outOfMemory("av_buffer_ref") }
    raw.pointee.data.0 = data
    // A packed format with an even number of columns has no padding.
    raw.pointee.linesize.0 = wanted / Int32(size.height)
    return frame
  }
}
