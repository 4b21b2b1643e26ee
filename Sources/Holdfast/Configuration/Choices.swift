internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastRecording

/// How much of a recording goes into one file.
public enum SegmentLength: Hashable, Sendable {
  case duration(Duration)
  case bytes(Int)

  var inner: HoldfastRecording.SegmentLength {
    switch self {
    case .duration(let length): .duration(MediaTime(length))
    case .bytes(let count): .size(count)
    }
  }
}

/// What a gate's silence means.
public enum SilentGatePolicy: Hashable, Sendable, CaseIterable {
  case pass, refuse

  var inner: SilentGate {
    switch self {
    case .pass: .pass
    case .refuse: .refuse
    }
  }
}

/// How the picture is encoded.
public enum VideoCodec: Hashable, Sendable, CaseIterable {
  case h264, hevc, av1

  var inner: Codec {
    switch self {
    case .h264: .h264
    case .hevc: .hevc
    case .av1: .av1
    }
  }
}

/// How the sound is encoded.
public enum AudioCodec: Hashable, Sendable, CaseIterable {
  case aac, opus

  var inner: Codec {
    switch self {
    case .aac: .aac
    case .opus: .opus
    }
  }
}

/// What encodes the picture.
public enum VideoEncoder: Hashable, Sendable, CaseIterable {
  /// The machine's, else software.
  case automatic
  case x264, vaapi, qsv, nvenc, v4l2m2m
  /// None: the source gives encoded pictures.
  case copy

  var inner: EncoderChoice {
    switch self {
    case .automatic: .auto
    case .x264: .x264
    case .vaapi: .vaapi
    case .qsv: .qsv
    case .nvenc: .nvenc
    case .v4l2m2m: .v4l2m2m
    case .copy: .copy
    }
  }
}
