import HoldfastMarks
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import Testing

@Suite struct TestToneTests {
  /// Runs a test tone until `isEnough`.
  private func blocks(
    _ format: AudioFormat, until isEnough: @escaping ([AudioBlock]) -> Bool
  ) throws -> [AudioBlock] {
    let stop = try Wakeup()
    var blocks: [AudioBlock] = []
    try TestTone(format: format).run(until: stop) { block in
      blocks.append(block)
      if isEnough(blocks) { stop.signal() }
    }
    return blocks
  }

  private func instant(_ index: Int64, _ rate: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + MediaTime(ticks: index, timescale: rate)
  }

  @Test(arguments: [(48000, 2), (44100, 1), (16000, 6)])
  func `a test tone's blocks follow each other on the clock's sample grid`(rate: Int, channels: Int) throws {
    let format = AudioFormat(sampleRate: rate, channels: channels)
    let blocks = try blocks(format) { $0.count == 20 }
    let began = try #require(blocks.first).captureTime - MonotonicTime(nanoseconds: 0)
    var index = began.ticks(timescale: rate)
    for block in blocks {
      index += block.lostBefore.ticks(timescale: rate)
      #expect(block.captureTime == instant(index, rate))
      #expect(block.format == format && block.frameCount == rate / 50)
      index += Int64(block.frameCount)
    }
  }

  @Test func `a test tone held up for a moment loses nothing`() throws {
    let pause = try Wakeup()
    let blocks = try blocks(AudioFormat(sampleRate: 16000, channels: 1)) { blocks in
      if blocks.count == 2 { _ = pause.wait(until: .now + .milliseconds(300)) }
      return blocks.count == 40
    }
    #expect(blocks.allSatisfy { $0.lostBefore == .zero })
  }

  @Test func `all channels of a test tone carry the same samples`() throws {
    let samples = try #require(try blocks(AudioFormat(sampleRate: 48000, channels: 2)) { $0.count == 2 }.last)
      .samples
    #expect(samples.contains { abs($0) > 0.01 })
    #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == samples[$0 + 1] })
  }

  @Test func `a test tone's block is delivered only after its time has passed`() throws {
    var early = 0
    _ = try blocks(AudioFormat(sampleRate: 48000, channels: 1)) { blocks in
      if let last = blocks.last, .now < last.captureTime + last.duration { early += 1 }
      return blocks.count == 10
    }
    #expect(early == 0)
  }

  @Test func `a test tone's beep begins at a whole second of the clock, with that second's pitch`() throws {
    let rate = 48000
    let blocks = try blocks(AudioFormat(sampleRate: rate, channels: 1)) { blocks in
      guard let first = blocks.first, let last = blocks.last else { return false }
      let second = (first.captureTime.nanoseconds + 30_000_000) / 1_000_000_000 + 1
      return last.captureTime.nanoseconds > second * 1_000_000_000 + 190_000_000
    }
    let start = try #require(blocks.first).captureTime - MonotonicTime(nanoseconds: 0)
    var detector = BeepDetector(sampleRate: rate, start: start)
    let beeps = blocks.flatMap { detector.process($0.samples) }
    let beep = try #require(beeps.last)
    let second = Int64(beep.onset.seconds.rounded())
    #expect(abs(beep.onset.milliseconds - Double(second * 1000)) < 0.2)
    #expect(beep.pitch == SecondMark.pitch(ofSecond: second))
  }

  @Test func `a test tone's blocks missed by a slow consumer are left out and reported as lost`() throws {
    let rate = 16000
    let pause = try Wakeup()
    let blocks = try blocks(AudioFormat(sampleRate: rate, channels: 1)) { blocks in
      if blocks.count == 2 { _ = pause.wait(until: .now + .milliseconds(2100)) }
      return blocks.count == 4
    }
    let lost = blocks[2].lostBefore
    #expect(lost > .seconds(2))
    #expect(abs((blocks[2].captureTime - blocks[1].captureTime - blocks[1].duration - lost).nanoseconds) <= 2)
    #expect(blocks[3].lostBefore == .zero)
  }
}
