/// The `avcC` record of H.264 (ISO/IEC 14496-15).
package enum AVCConfiguration {
  static let sequenceParameterSet: UInt8 = 7
  static let pictureParameterSet: UInt8 = 8

  /// False for parameter sets, which belong in the record.
  package static func belongsInPackets(_ firstByte: UInt8) -> Bool {
    let type = firstByte & 0x1F
    return type != sequenceParameterSet && type != pictureParameterSet
  }

  /// The level that the headers of a track claim; nil for another codec.
  package static func level(of track: Track) -> UInt8? {
    track.codec == .h264 && track.headers.count > 3 ? track.headers[3] : nil
  }

  /// Whether the picture is an IDR.
  package static func isKeyframe(annexB bytes: borrowing Span<UInt8>) -> Bool {
    var found = false
    NALUnits.forEach(annexB: bytes) { found = found || bytes[$0.lowerBound] & 0x1F == 5 }
    return found
  }

  /// The record from parameter sets; nil unless both kinds are present.
  package static func record(annexB bytes: borrowing Span<UInt8>) -> [UInt8]? {
    let units = NALUnits.units(annexB: bytes)
    let sequence = units.filter { $0[0] & 0x1F == sequenceParameterSet && $0.count >= 4 }.withoutRepetitions
    let picture = units.filter { $0[0] & 0x1F == pictureParameterSet }.withoutRepetitions
    guard let first = sequence.first, !picture.isEmpty, sequence.count < 32, picture.count < 256 else {
      return nil
    }
    var record: [UInt8] = [1, first[1], first[2], first[3], 0xFC | 3, 0xE0 | UInt8(sequence.count)]
    record += NALUnits.withShortLengths(sequence) + [UInt8(picture.count)]
    record += NALUnits.withShortLengths(picture)
    if [100, 110, 122, 244].contains(first[1]) { record += chromaExtension(of: first) }
    return record
  }

  /// The chroma format and bit depths, appended for high profiles.
  private static func chromaExtension(of sequence: [UInt8]) -> [UInt8] {
    var bits = BitReader(NALUnits.payload(Array(sequence.dropFirst(4))))
    _ = bits.readExponentialGolomb()
    let chroma = bits.readExponentialGolomb()
    if chroma == 3 { _ = bits.read(1) }
    let luma = bits.readExponentialGolomb()
    let colour = bits.readExponentialGolomb()
    return [0xFC | UInt8(chroma & 3), 0xF8 | UInt8(luma & 7), 0xF8 | UInt8(colour & 7), 0]
  }
}
