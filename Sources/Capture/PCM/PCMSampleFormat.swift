/// The supported sample formats (little-endian, interleaved), by preference.
enum PCMSampleFormat: String, Hashable, Sendable, CaseIterable {
  case float32 = "FLOAT_LE"
  case signed32 = "S32_LE"
  /// The lower 24 of 32 bits; the top byte is undefined.
  case signed24 = "S24_LE"
  case packed24 = "S24_3LE"
  case signed16 = "S16_LE"

  var bytesPerSample: Int {
    switch self {
    case .float32, .signed32, .signed24: 4
    case .packed24: 3
    case .signed16: 2
    }
  }

  /// The samples as floats from -1 to 1; non-finite ones become 0.
  func floats(from bytes: UnsafeRawBufferPointer) -> [Float] {
    switch self {
    case .float32:
      map(bytes) { bytes, offset in
        let sample = Float(bitPattern: number(bytes, offset, UInt32.self))
        return sample.isFinite ? sample : 0
      }
    case .signed32: map(bytes) { Float(number($0, $1, Int32.self)) * 0x1p-31 }
    case .signed24: map(bytes) { Float(number($0, $1, Int32.self) << 8) * 0x1p-31 }
    case .packed24:
      map(bytes) { bytes, offset in
        let low = Int32(bytes[offset]) << 8 | Int32(bytes[offset + 1]) << 16
        return Float(low | Int32(bitPattern: UInt32(bytes[offset + 2]) << 24)) * 0x1p-31
      }
    case .signed16: map(bytes) { Float(number($0, $1, Int16.self)) * 0x1p-15 }
    }
  }

  private func number<Number: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _: Number.Type
  ) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  private func map(
    _ bytes: UnsafeRawBufferPointer, _ sample: (UnsafeRawBufferPointer, Int) -> Float
  ) -> [Float] {
    let count = bytes.count / bytesPerSample
    return [Float](unsafeUninitializedCapacity: count) { samples, written in
      for index in 0..<count { samples[index] = sample(bytes, index * bytesPerSample) }
      written = count
    }
  }
}
