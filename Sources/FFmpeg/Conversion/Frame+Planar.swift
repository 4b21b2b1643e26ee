import HoldfastCFFmpeg
import HoldfastCYUV
package import HoldfastMediaModel

extension PictureScaler.Side {
  /// libyuv has code of its own for these ratios, which takes a seventh of swscale's time; for others swscale is faster.
  private static let quickRatios = [(3, 4), (1, 2), (3, 8), (1, 4)]

  func isShrunkByLibyuv(to other: Self) -> Bool {
    guard format == AV_PIX_FMT_YUV420P, format == other.format, isFullRange == other.isFullRange else {
      return false
    }
    return Self.quickRatios.contains { part, whole in
      other.size.width * whole == size.width * part && other.size.height * whole == size.height * part
        && other.size.width % 2 == 0 && other.size.height % 2 == 0
    }
  }
}

extension Frame {
  /// Both are planar 4:2:0; writes nothing but the area of `result`.
  borrowing func shrink(into result: borrowing Frame) {
    let (from, to) = (raw.pointee, result.raw.pointee)
    I420Scale(
      from.data.0, from.linesize.0, from.data.1, from.linesize.1, from.data.2, from.linesize.2, from.width,
      from.height, to.data.0, to.linesize.0, to.data.1, to.linesize.1, to.data.2, to.linesize.2, to.width,
      to.height, kFilterBox)
  }

  /// Lays an area of `other`, of the same size and format, over this picture: 0 leaves it, and 256 replaces it.
  package borrowing func blend(
    _ area: PictureArea, from other: borrowing Frame, opacity: Int
  ) throws(FFmpegError) {
    let below = try view(of: area)
    let above = try other.view(of: area)
    let (to, from) = (below.raw.pointee, above.raw.pointee)
    I420Interpolate(
      to.data.0, to.linesize.0, to.data.1, to.linesize.1, to.data.2, to.linesize.2, from.data.0,
      from.linesize.0, from.data.1, from.linesize.1, from.data.2, from.linesize.2, to.data.0, to.linesize.0,
      to.data.1, to.linesize.1, to.data.2, to.linesize.2, to.width, to.height, Int32(min(opacity, 255)))
  }
}
