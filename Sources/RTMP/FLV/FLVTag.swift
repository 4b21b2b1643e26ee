package import HoldfastMediaModel

/// The kind of a video or audio message, from its first bytes.
package enum FLVTag: Hashable, Sendable {
  /// Codec headers; they start at `at` in the payload.
  case headers(Codec, at: Int)
  /// A picture or sound packet, starting at `at`; `composition` is its presentation delay in milliseconds.
  case packet(Codec, isKeyframe: Bool, composition: Int32, at: Int)
  /// End of sequence, metadata or an unknown codec: can be relayed, but not read.
  case other

  package init(video payload: [UInt8]) {
    self = (payload.first ?? 0) & 0x80 == 0 ? Self.plainVideo(payload) : Self.enhancedVideo(payload)
  }

  package init(audio payload: [UInt8]) {
    switch (payload.first ?? 0) >> 4 {
    case 9 where payload.count >= 5:
      self = Self.audio(Self.fourCC(payload).codec, type: payload[0] & 0x0F, at: 5)
    case 10 where payload.count >= 2: self = Self.audio(.aac, type: payload[1], at: 2)
    default: self = .other
    }
  }

  private static func plainVideo(_ payload: [UInt8]) -> FLVTag {
    guard payload.count >= 5 else { return .other }
    // Not standardized for HEVC, but widespread.
    let codec: Codec? = payload[0] & 0x0F == 7 ? .h264 : payload[0] & 0x0F == 12 ? .hevc : nil
    guard let codec else { return .other }
    switch payload[1] {
    case 0: return .headers(codec, at: 5)
    case 1:
      return .packet(codec, isKeyframe: payload[0] >> 4 == 1, composition: signed24(payload, at: 2), at: 5)
    default: return .other
    }
  }

  private static func enhancedVideo(_ payload: [UInt8]) -> FLVTag {
    guard payload.count >= 5, let codec = fourCC(payload).codec, codec.kind == .video else { return .other }
    let isKeyframe = payload[0] >> 4 & 7 == 1
    switch payload[0] & 0x0F {
    case 0: return .headers(codec, at: 5)
    case 1 where codec == .hevc || codec == .h264:
      guard payload.count >= 8 else { return .other }
      return .packet(codec, isKeyframe: isKeyframe, composition: signed24(payload, at: 5), at: 8)
    case 1, 3: return .packet(codec, isKeyframe: isKeyframe, composition: 0, at: 5)
    default: return .other
    }
  }

  private static func audio(_ codec: Codec?, type: UInt8, at offset: Int) -> FLVTag {
    guard let codec, codec.kind == .audio else { return .other }
    switch type {
    case 0: return .headers(codec, at: offset)
    case 1: return .packet(codec, isKeyframe: true, composition: 0, at: offset)
    default: return .other
    }
  }

  private static func fourCC(_ payload: [UInt8]) -> FourCC {
    FourCC(value: payload[1..<5].reduce(0) { $0 << 8 | UInt32($1) })
  }

  private static func signed24(_ payload: [UInt8], at offset: Int) -> Int32 {
    let raw = payload[offset..<offset + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int32(bitPattern: raw << 8) >> 8
  }
}
