import Glibc
package import HoldfastMediaModel

/// A software or hardware encoder supported by FFmpeg.
package enum EncoderImplementation: String, Hashable, Sendable, CaseIterable {
  case software, vaapi, qsv, nvenc, v4l2m2m

  /// The implementations to try, cheapest first and software last; without hardware that has no device node.
  package static func candidates(
    for codec: Codec, exists: (String) -> Bool = Self.isThere
  ) -> [EncoderImplementation] {
    allCases.filter { implementation in
      implementation.supports(codec) && implementation.deviceNodes.contains(where: exists)
    } + [.software]
  }

  private func supports(_ codec: Codec) -> Bool {
    switch self {
    case .software: codec.kind == .video
    case .vaapi, .qsv, .nvenc, .v4l2m2m: codec == .h264 || (codec == .hevc && self != .v4l2m2m)
    }
  }

  private var deviceNodes: [String] {
    switch self {
    case .software: []
    case .vaapi, .qsv: ["/dev/dri/renderD128", "/dev/dri/renderD129"]
    case .nvenc: ["/dev/nvidiactl"]
    case .v4l2m2m: ["/dev/video10", "/dev/video11"]
    }
  }

  package static func isThere(_ deviceNode: String) -> Bool { access(deviceNode, F_OK) == 0 }

  func name(for codec: Codec) -> String {
    switch self {
    case .software:
      switch codec {
      case .h264: "libx264"
      case .hevc: "libx265"
      case .av1: "libaom-av1"
      case .aac: "aac"
      case .opus: "libopus"
      }
    case .vaapi, .qsv, .nvenc, .v4l2m2m: "\(codec.rawValue)_\(rawValue)"
    }
  }

  package func title(for codec: Codec) -> String {
    switch (self, codec) {
    case (.software, .h264): "x264"
    case (.software, .hevc): "x265"
    case (.software, .av1): "libaom"
    case (.software, .aac), (.software, .opus): codec.name
    case (.vaapi, _), (.qsv, _), (.nvenc, _), (.v4l2m2m, _): rawValue
    }
  }

  /// The speeds that can follow one another within a track.
  package func speeds(for codec: Codec) -> [EncoderSpeed] {
    self == .software && codec == .h264 ? EncoderSpeed.allCases : [.usual]
  }

  func options(for codec: Codec, _ speed: EncoderSpeed) -> [(name: String, value: String)] {
    switch self {
    case .software:
      switch codec {
      case .h264:
        speed.x264 + [("tune", "zerolatency"), ("forced-idr", "1"), ("sc_threshold", "0")]
      case .hevc:
        [
          ("preset", "ultrafast"), ("tune", "zerolatency"), ("forced-idr", "1"),
          ("x265-params", "log-level=none:repeat-headers=0:scenecut=0"),
        ]
      case .av1:
        [("usage", "realtime"), ("cpu-used", "8"), ("lag-in-frames", "0"), ("row-mt", "1"), ("tiles", "2x1")]
      case .aac, .opus: []
      }
    case .nvenc:
      [("preset", "p3"), ("tune", "ull"), ("rc", "cbr"), ("forced-idr", "1"), ("zerolatency", "1")]
    case .qsv: [("preset", "veryfast"), ("async_depth", "1"), ("forced_idr", "1")]
    case .vaapi: [("async_depth", "1")]
    case .v4l2m2m: []
    }
  }

  /// Whether FFmpeg's wrapper applies a new bitrate to the next picture.
  package func changesBitrateWhileRunning(_ codec: Codec) -> Bool {
    switch self {
    case .software: codec == .h264
    case .nvenc, .qsv: true
    case .vaapi, .v4l2m2m: false
    }
  }
}

/// How much time an encoder may take; a faster one needs more bits for the same picture.
package enum EncoderSpeed: String, Hashable, Sendable, CaseIterable {
  case usual = "veryfast"
  case faster = "superfast"
  case fastest = "ultrafast"

  package func isFaster(than other: EncoderSpeed) -> Bool {
    let all = Self.allCases
    return (all.firstIndex(of: self) ?? 0) > (all.firstIndex(of: other) ?? 0)
  }

  /// x264's options. All speeds make the same headers, so that one can follow another within a track.
  var x264: [(name: String, value: String)] {
    [("preset", rawValue), ("coder", "cabac"), ("8x8dct", "1"), ("weightp", "simple")]
  }
}
