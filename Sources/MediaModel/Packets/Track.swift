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

/// The description of a track, which a receiver needs before its first packet.
package struct Track: Hashable, Sendable {
  package enum Format: Hashable, Sendable {
    case video(VideoFormat)
    case audio(AudioFormat)
  }

  package let codec: Codec
  package let format: Format
  /// The codec's headers: the content of `avcC` or `hvcC`, the AudioSpecificConfig, the OpusHead; for AV1 `av1C` or the
  /// sequence header's unit.
  package let headers: [UInt8]
  /// The nominal rate in bits per second; 0 where it is unknown.
  package let bitrate: Int

  package init(codec: Codec, format: Format, headers: [UInt8], bitrate: Int) {
    self.codec = codec
    self.format = format
    self.headers = headers
    self.bitrate = bitrate
  }

  package var kind: TrackKind { codec.kind }
}

/// What the server does with a publish: only distribute it, begin a recording, or continue one.
package enum PublishType: String, Hashable, Sendable, CaseIterable {
  case live, record, append
}
