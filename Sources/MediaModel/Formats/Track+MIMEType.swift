extension Track {
  /// What the `codecs` parameter of a MIME type calls the track in an MP4 file (RFC 6381).
  package var mimeCodec: String {
    switch codec {
    case .h264: "avc1." + headers.dropFirst().prefix(3).map(Self.hexadecimal).joined()
    case .hevc: hevcCodec
    case .av1: av1Codec
    case .aac: "mp4a.40.\(audioObjectType)"
    case .opus: "opus"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    padded(String(byte, radix: 16, uppercase: true))
  }

  private static func padded(_ text: String) -> String { text.count < 2 ? "0" + text : text }

  /// Profile, compatibility flags in reverse order, tier with level, and the constraints up to the last that is set.
  private var hevcCodec: String {
    guard headers.count > 12 else { return "hev1" }
    let space = ["", "A", "B", "C"][Int(headers[1] >> 6)]
    let flags = headers[2..<6].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(Self.reversed($1)) }
    var constraints = Array(headers[6..<12])
    while constraints.last == 0 { constraints.removeLast() }
    let parts =
      [
        "hev1", "\(space)\(headers[1] & 0x1F)", String(flags, radix: 16, uppercase: true),
        "\(headers[1] & 0x20 == 0 ? "L" : "H")\(headers[12])",
      ] + constraints.map { String($0, radix: 16, uppercase: true) }
    return parts.joined(separator: ".")
  }

  private static func reversed(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(0) { $0 | (byte >> $1 & 1) << (7 - $1) }
  }

  private var av1Codec: String {
    guard let record = AV1Configuration.record(headers: headers) else { return "av01" }
    let tier = record[2] & 0x80 == 0 ? "M" : "H"
    let depth = record[2] & 0x40 == 0 ? "08" : record[2] & 0x20 == 0 ? "10" : "12"
    return "av01.\(record[1] >> 5).\(Self.padded(String(record[1] & 0x1F)))\(tier).\(depth)"
  }

  /// The first field of an AudioSpecificConfig.
  private var audioObjectType: UInt32 {
    var bits = BitReader(headers)
    let type = bits.read(5)
    return type == 31 ? 32 + bits.read(6) : type
  }
}
