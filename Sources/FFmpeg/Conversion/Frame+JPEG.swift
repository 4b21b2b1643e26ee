import HoldfastCFFmpeg
import HoldfastMediaModel

extension Frame {
  /// The picture as a JPEG file, scaled down to at most `width`.
  package borrowing func jpeg(within width: Int) throws(FFmpegError) -> [UInt8] {
    let scaled = size.fitted(into: PictureSize(width: width, height: Int(Int32.max)))
    let encoder = try EncoderContext(named: "mjpeg")
    Self.configure(encoder.raw, scaled)
    try encoder.context.open([("huffman", "default")])
    let picture = try fullRange(scaled)
    var bytes: [UInt8] = []
    try encoder.encode(picture.raw) { bytes += $0.bytes }
    try encoder.encode(nil) { bytes += $0.bytes }
    return bytes
  }

  /// The scaled picture in full range, as JPEG requires.
  private borrowing func fullRange(_ scaled: PictureSize) throws(FFmpegError) -> Frame {
    let result = try Frame(size: scaled, avFormat: AV_PIX_FMT_YUVJ420P)
    result.raw.pointee.color_range = AVCOL_RANGE_JPEG
    var scaler = try PictureScaler(
      from: side, to: PictureScaler.Side(size: scaled, format: AV_PIX_FMT_YUV420P, isFullRange: true))
    try scaler.scale(self, into: result)
    return result
  }

  private static func configure(_ context: UnsafeMutablePointer<AVCodecContext>, _ size: PictureSize) {
    context.pointee.width = Int32(size.width)
    context.pointee.height = Int32(size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.time_base = AVRational(num: 1, den: 25)
    context.pointee.thread_count = 1
    context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
    context.pointee.global_quality = FF_QP2LAMBDA * 4
  }
}
