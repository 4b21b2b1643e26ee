import HoldfastMediaModel
import HoldfastMediaSources
import Testing

@testable import HoldfastCapture

@Suite struct MicrophoneNegotiationTests {
  @Test(
    arguments: [
      (2, [1, 2, 4], 2), (1, [2, 4], 2), (2, [4, 8], 4), (2, [1], 1), (8, [1, 2], 2), (2, [], nil),
    ] as [(Int, [Int], Int?)])
  func `a microphone's channels are as requested, else more, else as many as there are`(
    wanted: Int, possible: [Int], taken: Int?
  ) {
    #expect(PCMSettings.channels(requested: wanted, among: possible) == taken)
  }

  @Test(arguments: [
    (AudioFormat(sampleRate: 48000, channels: 2), ""),
    (AudioFormat(sampleRate: 44100, channels: 1), " (requested 44100 Hz mono)"),
  ])
  func `the summary gives the settings, and the request if it differs`(wanted: AudioFormat, ending: String) {
    let format = AudioFormat(sampleRate: 48000, channels: 2)
    let settings = PCMSettings(sampleFormat: .signed16, format: format, period: 480, buffer: 24000)
    let summary = settings.summary(pcm: "hw:Loop,1", requested: wanted)
    #expect(summary == "hw:Loop,1: 48000 Hz stereo, S16_LE, every 10 ms, buffer 500 ms" + ending)
  }

  @Test(
    arguments: [
      (0, 9_990_000_000), (9_999_000_000, 9_989_000_000), (10_001_000_000, 9_991_000_000),
      (8_999_999_999, 9_990_000_000), (1_795_000_000_000_000_000, 9_990_000_000),
    ] as [(Int64, Int64)])
  func `a time stamp from another clock is ignored`(stamp: Int64, heard: Int64) {
    let position = PCMPosition(
      condition: .running, available: 480, delay: 480, stamp: MonotonicTime(nanoseconds: stamp),
      now: MonotonicTime(nanoseconds: 10_000_000_000))
    #expect(position.captureTime(sampleRate: 48000) == MonotonicTime(nanoseconds: heard))
  }

  @Test func `an overrun is as long as the time that no block covers, and never negative`() {
    var timeline = PCMTimeline()
    func append(at milliseconds: Int64) -> MediaTime {
      timeline.append(at: MonotonicTime(nanoseconds: milliseconds * 1_000_000), duration: .milliseconds(10))
    }
    timeline.interrupt()
    #expect([100, 500].map(append) == [.zero, .zero])
    timeline.interrupt()
    #expect(append(at: 750) == .milliseconds(240))
    timeline.interrupt()
    #expect([755, 900].map(append) == [.zero, .zero])
  }

  @Test(
    arguments: [
      (2, .notFound), (19, .notFound), (6, .notFound), (111, .notFound), (16, .busy), (11, .busy),
      (13, .notPermitted), (1, .notPermitted), (5, .lost), (32, .lost), (110, .lost), (22, .unsuitable),
    ] as [(Int32, CaptureError.Kind)])
  func `each error code at opening maps to one kind of error`(code: Int32, kind: CaptureError.Kind) {
    #expect(CaptureError.kind(ofOpeningCode: code) == kind)
  }

  @Test(
    arguments: [
      ("hw:7,0", 2, [], "no microphone found; plug one in, or choose the test tone"),
      ("hw:7,0", 2, ["hw:Loop,0", "hw:Loop,1"], "available: hw:Loop,0, hw:Loop,1"),
      ("default", 111, [], "check that its sound server is running"),
      ("hw:1,0", 22, [], "use plughw:1,0, which converts formats"),
      ("default", 22, [], "choose another microphone"),
      ("hw:1,0", 13, [], "add the user to the group audio"),
    ] as [(String, Int32, [String], String)])
  func `the error for a microphone that does not open has a hint`(
    name: String, code: Int32, available: [String], hint: String
  ) {
    let error = CaptureError(opening: name, PCMError(operation: "opening", code: code), available: available)
    #expect(error.hint == hint)
  }

  @Test func `alsa-lib's null device opens with the requested format`() throws {
    let wanted = AudioFormat(sampleRate: 44100, channels: 1)
    let microphone = try Microphone(pcm: "null", requested: wanted)
    #expect((microphone.format, microphone.card) == (wanted, nil))
  }

  @Test func `an unknown microphone name is reported as not found`() {
    #expect {
      try Microphone(pcm: "no-such-pcm", requested: AudioFormat(sampleRate: 48000, channels: 2))
    } throws: { ($0 as? CaptureError)?.kind == .notFound }
  }
}

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
  func `full scale maps to minus one to one`(format: PCMSampleFormat, bytes: [UInt8], samples: [Float]) {
    #expect(floats(bytes, format) == samples)
  }

  @Test(arguments: PCMSampleFormat.allCases.filter { $0 != .float32 })
  func `a sample one step below zero converts to just below zero`(format: PCMSampleFormat) {
    let samples = floats([UInt8](repeating: 0xFF, count: format.bytesPerSample), format)
    #expect(samples.map { $0 < 0 && $0 >= -1 / 32768 } == [true], "\(samples)")
  }

  @Test(arguments: PCMSampleFormat.allCases)
  func `an incomplete sample of sound is left out`(format: PCMSampleFormat) {
    #expect(floats([UInt8](repeating: 0, count: format.bytesPerSample * 3 - 1), format) == [0, 0])
    #expect(floats([], format) == [])
  }
}
