import Testing

@testable import HoldfastMediaModel

@Suite struct AACConfigurationTests {
  private static let formats: [AudioFormat] = [
    AudioFormat(sampleRate: 48_000, channels: 2), AudioFormat(sampleRate: 44_100, channels: 1),
    AudioFormat(sampleRate: 16_000, channels: 6), AudioFormat(sampleRate: 7350, channels: 8),
  ]

  @Test func `AAC-LC at 48 kHz in stereo is written as encoders write it`() {
    let format = AudioFormat(sampleRate: 48_000, channels: 2)
    for profile in [1, -99] { #expect(AACConfiguration.headers(profile: profile, format) == [0x11, 0x90]) }
  }

  @Test(arguments: formats)
  func `a format is read back`(format: AudioFormat) throws {
    let headers = try #require(AACConfiguration.headers(profile: 1, format))
    #expect(AACConfiguration.format(headers: headers) == format)
  }

  @Test(arguments: [
    AudioFormat(sampleRate: 47_999, channels: 2), AudioFormat(sampleRate: 48_000, channels: 0),
    AudioFormat(sampleRate: 48_000, channels: 7), AudioFormat(sampleRate: 48_000, channels: 9),
  ])
  func `what the short form can't say is refused`(format: AudioFormat) {
    #expect(AACConfiguration.headers(profile: 1, format) == nil)
  }

  @Test(arguments: [[], [0x11], [0xFF, 0xFF], [0x17, 0x90], [0x00, 0x00]] as [[UInt8]])
  func `headers that say something else have no format`(headers: [UInt8]) {
    #expect(AACConfiguration.format(headers: headers) == nil)
  }

  /// A packet of three bytes: AAC-LC, 44.1 kHz, stereo.
  private static let framed: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x5F, 0xFC, 7, 8, 9]

  @Test func `a packet with its header says the format, and is unwrapped`() {
    #expect(AACConfiguration.headers(adts: Self.framed.span) == [0x12, 0x10])
    #expect(AACConfiguration.payload(adts: Self.framed.span) == [7, 8, 9])
  }

  @Test func `a checksum belongs to the header`() {
    var bytes = Self.framed
    bytes[1] = 0xF0
    bytes.insert(contentsOf: [1, 2], at: 7)
    #expect(AACConfiguration.payload(adts: bytes.span) == [7, 8, 9])
  }

  @Test(arguments: 0..<10)
  func `anything shorter, or without the mark, is left as it is`(count: Int) {
    let short = Array(Self.framed.prefix(min(count, 9)))
    for bytes in [short, [UInt8(count)] + Self.framed.dropFirst()] {
      #expect(AACConfiguration.headers(adts: bytes.span) == nil)
      #expect(AACConfiguration.payload(adts: bytes.span) == bytes)
    }
  }
}
