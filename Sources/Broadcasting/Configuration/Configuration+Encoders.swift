internal import HoldfastFFmpeg

extension Configuration {
  /// The encoders of the picture to try, in this order.
  var encoders: [EncoderImplementation] {
    switch video.encoder {
    case .auto, .copy: EncoderImplementation.candidates(for: video.codec)
    case .x264: [.software]
    case .vaapi: [.vaapi]
    case .qsv: [.qsv]
    case .nvenc: [.nvenc]
    case .v4l2m2m: [.v4l2m2m]
    }
  }

  /// One of them can change its bitrate while it runs.
  package var mayChangeBitrate: Bool {
    video.source != .off && video.encoder != .copy
      && encoders.contains { $0.changesBitrateWhileRunning(video.codec) }
  }
}
