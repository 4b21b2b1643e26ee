/// How a sound device lays a sample, and the way from there to a float between -1 and 1.
enum SampleLayout: Hashable, Sendable, CaseIterable {
  case float32, int32, int24InFour, int24InThree, int16

  var bytes: Int {
    switch self {
    case .float32, .int32, .int24InFour: 4
    case .int24InThree: 3
    case .int16: 2
    }
  }

  /// The little-endian samples in `bytes`; a part of one at the end is left out.
  func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let count = bytes.count / self.bytes
    return [Float](unsafeUninitializedCapacity: count) { result, initialized in
      for index in 0..<count { result[index] = float(bytes, at: index * self.bytes) }
      initialized = count
    }
  }

  private func float(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
    switch self {
    case .float32:
      let value = Float(
        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      return value.isFinite ? min(max(value, -1), 1) : 0
    case .int32:
      return Float(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
        / 2_147_483_648
    case .int24InFour:
      let value = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
      return Float(value << 8) / 2_147_483_648
    case .int24InThree:
      let value =
        UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 24
      return Float(Int32(bitPattern: value)) / 2_147_483_648
    case .int16:
      return Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 32_768
    }
  }
}
