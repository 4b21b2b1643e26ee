internal import HoldfastFFmpeg

extension Configuration {
  /// The encoders of the picture to try, in this order.
  var encoders: [EncoderImplementation] {
    switch encoder {
    case .auto, .copy: EncoderImplementation.candidates(for: videoCodec)
    case .x264: [.software]
    case .vaapi: [.vaapi]
    case .qsv: [.qsv]
    case .nvenc: [.nvenc]
    case .v4l2m2m: [.v4l2m2m]
    }
  }

  /// One of them can change its bitrate while it runs.
  package var mayChangeBitrate: Bool {
    video != .off && encoder != .copy && encoders.contains { $0.changesBitrateWhileRunning(videoCodec) }
  }
}
