import Testing

@testable import HoldfastCapture

@Suite struct MicrophoneSampleTests {
  private func floats(_ bytes: [UInt8], _ format: PCMSampleFormat) -> [Float] {
    bytes.withUnsafeBytes { format.floats(from: $0) }
  }

  @Test(
    arguments: [
      (.signed16, [0, 0x80, 0xFF, 0x7F, 0, 0, 0, 0x40], [-1, 32767 / 32768, 0, 0.5]),
      (.packed24, [0, 0, 0x80, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0x40], [-1, 8_388_607 / 8_388_608, 0, 0.5]),
      (
        .signed24, [0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0, 0xAA, 0, 0, 0x40, 0],
        [-1, 8_388_607 / 8_388_608, 0, 0.5]
      ),
      (
        .signed32, [0, 0, 0, 0x80, 0, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0x40],
        [-1, 8_388_607 / 8_388_608, 0, 0.5]
      ),
      (.signed32, [0xFF, 0xFF, 0xFF, 0x7F], [1]),
      (.float32, [0, 0, 0x80, 0xBF, 0, 0, 0, 0x3F, 0, 0, 0, 0x40], [-1, 0.5, 2]),
      (.float32, [0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF], [0, 0, 0]),
    ] as [(PCMSampleFormat, [UInt8], [Float])])
  func `full scale is minus one to one`(format: PCMSampleFormat, bytes: [UInt8], samples: [Float]) {
    #expect(floats(bytes, format) == samples)
  }

  @Test(arguments: PCMSampleFormat.allCases.filter { $0 != .float32 })
  func `the smallest step down is just below zero`(format: PCMSampleFormat) {
    let sample = floats([UInt8](repeating: 0xFF, count: format.bytesPerSample), format)
    #expect(sample.count == 1)
    #expect(sample[0] < 0 && sample[0] >= -1 / 32768)
  }

  @Test(arguments: PCMSampleFormat.allCases)
  func `an unfinished sample is left out`(format: PCMSampleFormat) {
    #expect(floats([UInt8](repeating: 0, count: format.bytesPerSample * 3 - 1), format) == [0, 0])
    #expect(floats([], format) == [])
  }
}
