/// How a sound card lays out its samples (little-endian, interleaved), and their way to floats.
enum PCMSampleFormat: String, Hashable, Sendable, CaseIterable {
  // In the order of preference.
  case float32 = "FLOAT_LE"
  case signed32 = "S32_LE"
  /// 24 bits in the lower part of four bytes; the uppermost byte may hold anything.
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

  /// The samples as floats: full scale is -1 to 1, and what is not a number is silence.
  func floats(from bytes: UnsafeRawBufferPointer) -> [Float] {
    switch self {
    case .float32:
      map(bytes) { bytes, offset in
        let sample = Float(
          bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        return sample.isFinite ? sample : 0
      }
    case .signed32:
      map(bytes) { bytes, offset in
        Float(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))) * 0x1p-31
      }
    case .signed24:
      map(bytes) { bytes, offset in
        let sample = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
        return Float(sample << 8) * 0x1p-31
      }
    case .packed24:
      map(bytes) { bytes, offset in
        let low = Int32(bytes[offset]) << 8 | Int32(bytes[offset + 1]) << 16
        return Float(low | Int32(bitPattern: UInt32(bytes[offset + 2]) << 24)) * 0x1p-31
      }
    case .signed16:
      map(bytes) { bytes, offset in
        Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) * 0x1p-15
      }
    }
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
