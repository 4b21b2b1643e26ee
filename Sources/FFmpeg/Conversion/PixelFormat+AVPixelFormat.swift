internal import HoldfastCFFmpeg
internal import HoldfastMediaModel

extension PixelFormat {
  var avPixelFormat: AVPixelFormat {
    switch self {
    case .yuv420p: AV_PIX_FMT_YUV420P
    case .nv12: AV_PIX_FMT_NV12
    case .yuyv422: AV_PIX_FMT_YUYV422
    case .uyvy422: AV_PIX_FMT_UYVY422
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .rgb24: AV_PIX_FMT_RGB24
    case .bgr24: AV_PIX_FMT_BGR24
    case .gray: AV_PIX_FMT_GRAY8
    }
  }
}
