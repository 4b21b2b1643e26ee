/// The `hvcC` record of HEVC (ISO/IEC 14496-15).
package enum HEVCConfiguration {
  static let videoParameterSet: UInt8 = 32
  static let sequenceParameterSet: UInt8 = 33
  static let pictureParameterSet: UInt8 = 34

  static func type(_ firstByte: UInt8) -> UInt8 { firstByte >> 1 & 0x3F }

  package static func belongsInPackets(_ firstByte: UInt8) -> Bool {
    !(videoParameterSet...pictureParameterSet).contains(type(firstByte))
  }

  /// The record from parameter sets; nil unless all three kinds are present.
  package static func record(annexB bytes: borrowing Span<UInt8>) -> [UInt8]? {
    let units = NALUnits.units(annexB: bytes)
    let kinds = [videoParameterSet, sequenceParameterSet, pictureParameterSet]
    let sets = kinds.map { kind in units.filter { type($0[0]) == kind }.withoutRepetitions }
    guard sets.allSatisfy({ (1...255).contains($0.count) }), sets[1][0].count >= 16 else { return nil }
    let fields = Fields(NALUnits.payload(Array(sets[1][0].dropFirst(2))))
    var record: [UInt8] = [1] + fields.profileTierLevel
    record += [
      0xF0, 0, 0xFC, 0xFC | fields.chromaFormat, 0xF8 | fields.lumaDepth, 0xF8 | fields.chromaDepth, 0, 0,
    ]
    record.append(fields.temporalLayers << 3 | fields.temporalNesting << 2 | 3)
    record.append(UInt8(kinds.count))
    for (kind, units) in zip(kinds, sets) {
      record += [0x80 | kind, 0, UInt8(units.count)] + NALUnits.withShortLengths(units)
    }
    return record
  }

  /// The sequence parameter set fields repeated in the record.
  private struct Fields {
    let temporalLayers: UInt8
    let temporalNesting: UInt8
    let profileTierLevel: [UInt8]
    let chromaFormat: UInt8
    let lumaDepth: UInt8
    let chromaDepth: UInt8

    init(_ payload: [UInt8]) {
      var bits = BitReader(payload)
      _ = bits.read(4)
      let subLayers = bits.read(3)
      temporalLayers = UInt8(subLayers + 1)
      temporalNesting = UInt8(bits.read(1))
      profileTierLevel = (0..<12).map { _ in UInt8(bits.read(8)) }
      var present: [(profile: Bool, level: Bool)] = []
      for _ in 0..<subLayers { present.append((bits.read(1) == 1, bits.read(1) == 1)) }
      if subLayers > 0 { for _ in subLayers..<8 { _ = bits.read(2) } }
      for layer in present {
        if layer.profile { for _ in 0..<11 { _ = bits.read(8) } }
        if layer.level { _ = bits.read(8) }
      }
      _ = bits.readExponentialGolomb()
      chromaFormat = UInt8(bits.readExponentialGolomb() & 3)
      if chromaFormat == 3 { _ = bits.read(1) }
      _ = bits.readExponentialGolomb()
      _ = bits.readExponentialGolomb()
      if bits.read(1) == 1 { for _ in 0..<4 { _ = bits.readExponentialGolomb() } }
      lumaDepth = UInt8(bits.readExponentialGolomb() & 7)
      chromaDepth = UInt8(bits.readExponentialGolomb() & 7)
    }
  }
}
