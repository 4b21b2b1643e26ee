/// The `avcC` record: what an H.264 decoder has to know before the first picture (ISO/IEC 14496-15).
package enum AVCConfiguration {
  static let sequenceParameterSet: UInt8 = 7
  static let pictureParameterSet: UInt8 = 8

  /// The parameter sets stand in the record, so they are left out of the packets.
  package static func belongsInPackets(_ firstByte: UInt8) -> Bool {
    let type = firstByte & 0x1F
    return type != sequenceParameterSet && type != pictureParameterSet
  }

  /// An instantaneous decoder refresh: a receiver can begin here.
  package static func isKeyframe(annexB bytes: borrowing Span<UInt8>) -> Bool {
    var found = false
    NALUnits.forEach(annexB: bytes) { found = found || bytes[$0.lowerBound] & 0x1F == 5 }
    return found
  }

  /// The record for the parameter sets in `bytes`; nil where one of the two kinds is missing.
  package static func record(annexB bytes: borrowing Span<UInt8>) -> [UInt8]? {
    let units = NALUnits.units(annexB: bytes)
    let sequence = units.filter { $0[0] & 0x1F == sequenceParameterSet && $0.count >= 4 }
    let picture = units.filter { $0[0] & 0x1F == pictureParameterSet }
    guard let first = sequence.first, !picture.isEmpty, sequence.count < 32, picture.count < 256 else {
      return nil
    }
    var record: [UInt8] = [1, first[1], first[2], first[3], 0xFC | 3, 0xE0 | UInt8(sequence.count)]
    append(sequence, to: &record)
    record.append(UInt8(picture.count))
    append(picture, to: &record)
    if [100, 110, 122, 244].contains(first[1]) { record += chromaExtension(of: first) }
    return record
  }

  private static func append(_ units: [[UInt8]], to record: inout [UInt8]) {
    for unit in units {
      record += [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)] + unit
    }
  }

  /// The high profiles say chroma format and bit depths once more behind the sets.
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
