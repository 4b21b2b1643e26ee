package enum Codec: String, Hashable, Sendable, CaseIterable {
  case h264, hevc, av1, aac, opus

  package var kind: TrackKind {
    switch self {
    case .h264, .hevc, .av1: .video
    case .aac, .opus: .audio
    }
  }

  package var name: String {
    switch self {
    case .h264: "H.264"
    case .hevc: "HEVC"
    case .av1: "AV1"
    case .aac: "AAC"
    case .opus: "Opus"
    }
  }

  /// What a packet of sound holds.
  package var framesPerPacket: Int { self == .aac ? 1024 : 960 }
}
