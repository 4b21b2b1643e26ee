import HoldfastFFmpeg
package import HoldfastMediaModel

package enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, x264, vaapi, qsv, nvenc, v4l2m2m
  /// No encoder: the source delivers encoded pictures.
  case copy

  /// Whether the encoder supports `codec` on any machine.
  package func canMake(_ codec: Codec) -> Bool {
    switch self {
    case .auto, .vaapi, .qsv, .nvenc, .copy: codec.kind == .video
    case .x264, .v4l2m2m: codec == .h264
    }
  }
}

extension Configuration {
  var encoders: [EncoderImplementation] { encoders(for: video.encoder) }

  func encoders(for choice: EncoderChoice) -> [EncoderImplementation] {
    switch choice {
    case .auto, .copy: EncoderImplementation.candidates(for: video.codec)
    case .x264: [.software]
    case .vaapi: [.vaapi]
    case .qsv: [.qsv]
    case .nvenc: [.nvenc]
    case .v4l2m2m: [.v4l2m2m]
    }
  }

  /// True if a candidate encoder can change its bitrate while running.
  package var mayChangeBitrate: Bool {
    video.source != .off && video.encoder != .copy
      && encoders.contains { $0.changesBitrateWhileRunning(video.codec) }
  }
}
