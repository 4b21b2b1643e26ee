import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct TileSoundTests {
  private static let stereo = AudioFormat(sampleRate: 48_000, channels: 2)

  private func block(_ value: Float, at seconds: Double, rate: Int = 48_000, channels: Int = 2) -> AudioBlock
  {
    let format = AudioFormat(sampleRate: rate, channels: channels)
    return AudioBlock(
      format: format, captureTime: MonotonicTime(nanoseconds: Int64(seconds * 1e9)),
      samples: [Float](repeating: value, count: rate / 100 * channels))
  }

  private func read(_ sound: inout TileSound, seconds: Double, isMuted: Bool = false) -> [Float] {
    var mix = [Float](repeating: 0, count: Int(seconds * 48_000) * 2)
    sound.read(into: &mix, isMuted: isMuted)
    return mix
  }

  private func sound(latency: MediaTime = .zero, isMuted: Bool = false) throws -> TileSound {
    try TileSound(Self.stereo, position: 480_000, latency: latency, isMuted: isMuted)
  }

  @Test(arguments: [8000, 22_050, 44_100, 48_000, 96_000], [1, 2])
  func `sound of any format comes out at the time of its capture`(rate: Int, channels: Int) throws {
    var sound = try sound()
    for count in 0..<50 {
      try sound.add(block(0.5, at: 10.1 + Double(count) / 100, rate: rate, channels: channels))
    }
    let mix = read(&sound, seconds: 0.5)
    #expect(mix[..<9000].allSatisfy { $0 == 0 })
    // The filter and the joint take some milliseconds.
    // One channel is spread over two at the same power.
    let level: Float = channels == 1 ? 0.3536 : 0.5
    #expect(mix[11_000..<44_000].allSatisfy { abs($0 - level) < 0.02 })
  }

  @Test func `the latency of a source shifts its sound, as it does its pictures`() throws {
    var sound = try sound(latency: .milliseconds(300))
    try sound.add(block(0.5, at: 9.8))
    try sound.add(block(0.5, at: 9.81))
    let mix = read(&sound, seconds: 0.3)
    #expect(mix[..<9600].allSatisfy { $0 == 0 } && mix[10_600] > 0.4)
  }

  @Test func `a gap is silence, and what follows is in time again`() throws {
    var sound = try sound()
    for count in 0..<10 { try sound.add(block(0.5, at: 10 + Double(count) / 100)) }
    sound.noteGap()
    for count in 0..<10 { try sound.add(block(0.25, at: 10.3 + Double(count) / 100)) }
    let mix = read(&sound, seconds: 0.4)
    #expect(mix[9700..<28_700].allSatisfy { abs($0) < 0.001 })
    #expect(abs(mix[33_000] - 0.25) < 0.01)
  }

  @Test func `a muted tile fades out in 5 ms, and in again`() throws {
    var sound = try sound()
    for count in 0..<30 { try sound.add(block(0.5, at: 10 + Double(count) / 100)) }
    _ = read(&sound, seconds: 0.1)
    let muted = read(&sound, seconds: 0.1, isMuted: true)
    #expect(muted[0] > 0.45 && muted[240] < 0.3 && muted[500...].allSatisfy { $0 == 0 })
    let back = read(&sound, seconds: 0.05)
    #expect(back[0] < 0.05 && abs(back[600] - 0.5) < 0.01)
  }

  @Test func `sounds are added`() throws {
    var one = try sound()
    var other = try sound()
    for count in 0..<10 {
      try one.add(block(0.5, at: 10 + Double(count) / 100))
      try other.add(block(0.25, at: 10 + Double(count) / 100))
    }
    var mix = [Float](repeating: 0, count: 9600)
    one.read(into: &mix, isMuted: false)
    other.read(into: &mix, isMuted: false)
    #expect(abs(mix[5000] - 0.75) < 0.001)
  }

  @Test func `sound that comes after its time was read is left out, without a shift of the rest`() throws {
    var sound = try sound()
    _ = read(&sound, seconds: 0.2)
    for count in 0..<40 { try sound.add(block(0.5, at: 10 + Double(count) / 100)) }
    let mix = read(&sound, seconds: 0.3)
    #expect(abs(mix[100] - 0.5) < 0.01)
    #expect(mix[19_400...].allSatisfy { abs($0) < 0.001 })
  }
}
