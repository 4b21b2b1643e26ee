package enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio
}

/// A track's description, required before its first packet.
package struct Track: Hashable, Sendable, CustomStringConvertible {
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

  /// `H.264, 1280x720 at 30`
  package var description: String {
    switch format {
    case .video(let format): "\(codec.name), \(format)"
    case .audio(let format): "\(codec.name), \(format)"
    }
  }

  /// Whether a decoder or a file that has this track's headers takes the packets of `other`.
  package func hasSameHeaders(as other: Track) -> Bool { codec == other.codec && headers == other.headers }
}
