package import HoldfastMediaModel

/// What encodes the picture.
package enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, x264, vaapi, qsv, nvenc, v4l2m2m
  /// Nothing: the source gives encoded pictures.
  case copy

  /// Whether it can give `codec` at all, on any machine.
  package func canMake(_ codec: Codec) -> Bool {
    switch self {
    case .auto, .vaapi, .qsv, .nvenc, .copy: codec.kind == .video
    case .x264, .v4l2m2m: codec == .h264
    }
  }
}
