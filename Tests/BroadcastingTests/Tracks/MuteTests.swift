import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import Testing

@testable import HoldfastBroadcasting

/// What becomes of pictures and sound that are muted.
@Suite struct MuteTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)
  private let format = AudioFormat(sampleRate: 48000, channels: 2)

  /// A steady sound of 10 ms.
  private func block(_ number: Int) -> AudioBlock {
    AudioBlock(
      format: format, captureTime: start + .milliseconds(Int64(number) * 10),
      samples: [Float](repeating: 0.5, count: 960))
  }

  @Test func `a mute applies only to what is captured between its start and end`() {
    let mute = MuteSwitch()
    _ = mute.set(true, at: start)
    _ = mute.set(false, at: start + .seconds(1))
    let instants = [-1, 0, 999, 1000].map { start + .milliseconds($0) }
    #expect(instants.map { mute.isMuted(at: $0) } == [false, true, true, false])
  }

  @Test func `a mute request for the current state changes nothing`() {
    let mute = MuteSwitch()
    #expect([mute.set(false), mute.set(true), mute.set(true), mute.isMuted] == [false, true, false, true])
  }

  @Test func `many mute changes keep the times of the latest ones`() {
    let mute = MuteSwitch()
    for number in 0..<41 { _ = mute.set(number % 2 == 0, at: start + .seconds(Int64(number))) }
    #expect(mute.isMuted && !mute.isMuted(at: start + .milliseconds(39500)))
  }

  @Test func `sound that is not muted passes untouched`() {
    #expect(SoundMute(MuteSwitch()).process(block(0)).samples == block(0).samples)
  }

  @Test func `muted sound becomes digital silence of the same length and time`() {
    let mute = MuteSwitch()
    _ = mute.set(true, at: start)
    let sound = SoundMute(mute)
    let silence = [sound.process(block(0)), sound.process(block(1))][1]
    #expect(
      silence.samples == [Float](repeating: 0, count: 960) && silence.captureTime == block(1).captureTime)
  }

  @Test func `sound fades within 5 ms when it is muted or unmuted`() {
    let mute = MuteSwitch()
    let sound = SoundMute(mute)
    _ = mute.set(true, at: start + .milliseconds(13))
    _ = mute.set(false, at: start + .milliseconds(32))
    let samples = (0..<5).flatMap { sound.process(block($0)).samples }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    #expect(left[0..<48 * 13].allSatisfy { $0 == 0.5 })
    #expect(left[48 * 18 + 1..<48 * 32].allSatisfy { $0 == 0 })
    #expect(left[(48 * 37 + 1)...].allSatisfy { $0 == 0.5 })
    let steepest = zip(left, left.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(steepest < 0.5 / 200)
  }

  @Test func `a muted picture becomes black with the same size and time`() throws {
    let mute = MuteSwitch()
    let pictures = PictureMute(mute)
    _ = mute.set(true, at: start)
    let size = PictureSize(width: 64, height: 48)
    for time in [MediaTime.zero, .milliseconds(33)] {
      let bright = try Frame(size: size, format: .nv12)
      let black = seen(pictures.process(CapturedFrame(bright, captureTime: start + time, lostBefore: 2)))
      #expect(black == Seen(size: size, at: start + time, lost: 2, luma: [16], chroma: [128]))
    }
  }

  private struct Seen: Hashable {
    var size: PictureSize
    var at: MonotonicTime
    var lost: Int
    var luma: Set<UInt8>
    var chroma: Set<UInt8>
  }

  private func seen(_ captured: consuming CapturedFrame?) -> Seen? {
    guard let captured else { return nil }
    let (luma, chroma) = (0..<3).reduce(into: (Set<UInt8>(), Set<UInt8>())) { sets, plane in
      let values = captured.frame.withPlane(plane) { bytes, _ in Set(bytes) }
      if plane == 0 { sets.0 = values } else { sets.1.formUnion(values) }
    }
    return Seen(
      size: captured.frame.size, at: captured.captureTime, lost: captured.lostBefore, luma: luma,
      chroma: chroma)
  }
}
