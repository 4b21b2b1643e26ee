import HoldfastCFFmpeg
import HoldfastMediaModel

extension Codec {
  var avCodecID: AVCodecID {
    switch self {
    case .h264: AV_CODEC_ID_H264
    case .hevc: AV_CODEC_ID_HEVC
    case .av1: AV_CODEC_ID_AV1
    case .aac: AV_CODEC_ID_AAC
    case .opus: AV_CODEC_ID_OPUS
    }
  }

  init?(_ id: AVCodecID) {
    guard let codec = Codec.allCases.first(where: { $0.avCodecID == id }) else { return nil }
    self = codec
  }
}

extension FrameRate {
  var avRational: AVRational { AVRational(num: Int32(numerator), den: Int32(denominator)) }
}

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
