package enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio
}

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
}

/// A track's description, required before its first packet.
package struct Track: Hashable, Sendable {
  package enum Format: Hashable, Sendable {
    case video(VideoFormat)
    case audio(AudioFormat)
  }

  package let codec: Codec
  package let format: Format
  /// The content of `avcC` or `hvcC`, `av1C` or its sequence header OBU, AudioSpecificConfig or OpusHead.
  package let headers: [UInt8]
  /// In bits per second; 0 if unknown.
  package let bitrate: Int

  package init(codec: Codec, format: Format, headers: [UInt8], bitrate: Int) {
    self.codec = codec
    self.format = format
    self.headers = headers
    self.bitrate = bitrate
  }

  package var kind: TrackKind { codec.kind }
}

/// What the server does with a publish: distribute only, start a recording, or append to one.
package enum PublishType: String, Hashable, Sendable, CaseIterable {
  case live, record, append
}
