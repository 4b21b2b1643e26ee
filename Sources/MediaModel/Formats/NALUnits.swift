/// NAL units of H.264 and HEVC: with start codes (Annex B), or with lengths as in MP4 and RTMP.
package enum NALUnits {
  /// Calls `body` with each unit's range, without start codes and trailing zeros.
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

  /// The units whose first byte `keep` accepts, each with a four-byte length.
  package static func lengthPrefixed(
    annexB bytes: borrowing Span<UInt8>, keep: (UInt8) -> Bool = { _ in true }
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    forEach(annexB: bytes) { range in
      guard keep(bytes[range.lowerBound]) else { return }
      result.append(bigEndian: UInt64(range.count), count: 4)
      unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
    }
    return result
  }

  package static func units(annexB bytes: borrowing Span<UInt8>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    forEach(annexB: bytes) { range in result.append(range.map { bytes[$0] }) }
    return result
  }

  /// The units, each with a two-byte length, as in configuration records.
  static func withShortLengths(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap {
      [UInt8(truncatingIfNeeded: $0.count >> 8), UInt8(truncatingIfNeeded: $0.count)] + $0
    }
  }

  /// A unit without emulation prevention bytes.
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

extension [[UInt8]] {
  /// Cameras and servers may both put the same parameter sets in front of a keyframe.
  var withoutRepetitions: [[UInt8]] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
