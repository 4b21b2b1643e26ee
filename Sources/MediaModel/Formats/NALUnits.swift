/// The units of H.264 and HEVC streams, and the two ways of telling where one ends.
///
/// Encoders and cameras put a start code in front of each unit (Annex B); MP4 and RTMP put its length there. We
/// turn the first into the second once, right behind the encoder.
package enum NALUnits {
  /// Calls `body` with the range of every unit, without start codes and the zeros behind a unit.
  static func forEach(annexB bytes: borrowing Span<UInt8>, _ body: (Range<Int>) -> Void) {
    var start: Int?
    var index = 0
    func finish(at end: Int) {
      guard let first = start else { return }
      var last = end
      while last > first, bytes[last - 1] == 0 { last -= 1 }
      if last > first { body(first..<last) }
    }
    while index + 2 < bytes.count {
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        finish(at: index)
        index += 3
        start = index
      } else {
        index += 1
      }
    }
    finish(at: bytes.count)
  }

  /// The same units with a four-byte length in front of each, those for which `keep` (given the unit's first byte)
  /// is false left out.
  package static func lengthPrefixed(
    annexB bytes: borrowing Span<UInt8>, keep: (UInt8) -> Bool = { _ in true }
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    forEach(annexB: bytes) { range in
      guard keep(bytes[range.lowerBound]) else { return }
      let length = UInt32(range.count)
      for shift in [24, 16, 8, 0] as [UInt32] { result.append(UInt8(truncatingIfNeeded: length >> shift)) }
      unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
    }
    return result
  }

  /// The units themselves, for the few that have to be looked into.
  package static func units(annexB bytes: borrowing Span<UInt8>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    forEach(annexB: bytes) { range in
      result.append(range.map { bytes[$0] })
    }
    return result
  }

  /// A unit without the emulation prevention bytes, as its fields are to be read.
  static func payload(_ unit: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
