/// The AudioSpecificConfig of AAC (ISO/IEC 14496-3), and the ADTS header that says the same of each packet.
package enum AACConfiguration {
  private static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
  ]
  private static let lowComplexity = 2

  /// `profile` is FFmpeg's, one less than the object type; a negative one is unknown. Nil for a format that the short form
  /// can't say.
  package static func headers(profile: Int, _ format: AudioFormat) -> [UInt8]? {
    guard let rate = sampleRates.firstIndex(of: format.sampleRate), (1...8).contains(format.channels),
      format.channels != 7
    else { return nil }
    let type = (0..<4).contains(profile) ? profile + 1 : lowComplexity
    return headers(type: type, rate: rate, channels: format.channels == 8 ? 7 : format.channels)
  }

  private static func headers(type: Int, rate: Int, channels: Int) -> [UInt8] {
    let bits = type << 11 | rate << 7 | channels << 3
    return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
  }

  /// The format in an AudioSpecificConfig; nil if it does not say it in the short form.
  package static func format(headers: [UInt8]) -> AudioFormat? {
    var bits = BitReader(headers)
    let (type, rate, channels) = (bits.read(5), Int(bits.read(4)), Int(bits.read(4)))
    guard headers.count >= 2, type > 0, type < 5, rate < sampleRates.count, (1...7).contains(channels) else {
      return nil
    }
    return AudioFormat(sampleRate: sampleRates[rate], channels: channels == 7 ? 8 : channels)
  }

  /// What the header in front of a packet says; nil without one.
  package static func headers(adts bytes: borrowing Span<UInt8>) -> [UInt8]? {
    guard length(adts: bytes) != nil else { return nil }
    let (type, rate) = (Int(bytes[2] >> 6) + 1, Int(bytes[2] >> 2 & 15))
    let channels = Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
    guard rate < sampleRates.count, channels > 0 else { return nil }
    return headers(type: type, rate: rate, channels: channels)
  }

  /// The packet without that header.
  package static func payload(adts bytes: borrowing Span<UInt8>) -> [UInt8] {
    let start = length(adts: bytes) ?? 0
    return unsafe bytes.extracting(start..<bytes.count).withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// With a checksum it is longer.
  private static func length(adts bytes: borrowing Span<UInt8>) -> Int? {
    guard bytes.count > 9, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
    return bytes[1] & 1 == 1 ? 7 : 9
  }
}
