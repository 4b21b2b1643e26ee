import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import Testing

@Suite struct TestPictureTests {
  private struct Seen {
    let mark: FrameMark?
    let captureTime: MonotonicTime
    let lostBefore: Int
    let flash: UInt8
  }

  /// Runs a test picture until it has given `count` frames.
  private func frames(
    _ count: Int, _ format: VideoFormat,
    consume: @escaping (Int, borrowing CapturedFrame) -> Void = { _, _ in }
  ) throws -> [Seen] {
    let layout = try #require(MarkLayout(size: format.size))
    let stop = try Wakeup()
    var seen: [Seen] = []
    try TestPicture(format: format).run(until: stop) { captured in
      consume(seen.count, captured)
      seen.append(look(at: captured, layout))
      if seen.count == count { stop.signal() }
    }
    return seen
  }

  private func look(at captured: borrowing CapturedFrame, _ layout: MarkLayout) -> Seen {
    let size = layout.size
    let (mark, flash) = captured.frame.withPlane(0) { bytes, bytesPerLine in
      let luma = bytes.bindMemory(to: UInt8.self)
      // The flash is in the lower middle.
      let middle = (size.height - layout.height) * 86 / 100 + layout.height
      return (
        layout.read(luma.span, bytesPerLine: bytesPerLine), luma[middle * bytesPerLine + size.width / 2]
      )
    }
    return Seen(mark: mark, captureTime: captured.captureTime, lostBefore: captured.lostBefore, flash: flash)
  }

  @Test(arguments: [(1280, 720, "30"), (320, 180, "25"), (65, 71, "60"), (640, 360, "29.97")])
  func `every test frame shows its number and time, and time advances at the frame rate`(
    width: Int, height: Int, rate: String
  ) throws {
    let frameRate = try #require(FrameRate(rate))
    let seen = try frames(
      12, VideoFormat(size: PictureSize(width: width, height: height), frameRate: frameRate))
    let first = try #require(seen.first)
    // A machine that is too slow skips numbers, says so, and goes on with the clock.
    var number = -1
    for frame in seen {
      number += 1 + frame.lostBefore
      let mark = try #require(frame.mark)
      #expect(mark.number == number)
      #expect(mark == FrameMark(number: UInt32(number), captureTime: frame.captureTime))
      let due = first.captureTime + frameRate.time(ofFrame: Int64(number - first.lostBefore))
      #expect(abs((frame.captureTime - due).nanoseconds) <= 1)
    }
  }

  @Test(arguments: [10, 25, 30, 60])
  func `a test frame falls on each whole second, when the picture flashes`(rate: Int) throws {
    let frameRate = try #require(FrameRate(numerator: rate, denominator: 1))
    let seen = try frames(
      rate * 11 / 10, VideoFormat(size: PictureSize(width: 128, height: 96), frameRate: frameRate))
    for frame in seen {
      let isInBeginning = frame.captureTime.nanoseconds % 1_000_000_000 < 100_000_000
      #expect(frame.flash == (isInBeginning ? 235 : 16))
    }
    // Where the machine was too slow, the second's first frames may be among those that were left out.
    guard seen.allSatisfy({ $0.lostBefore == 0 }) else { return }
    #expect(seen.count { $0.captureTime.nanoseconds % 1_000_000_000 == 0 } >= 1)
    #expect(Set(seen.map(\.flash)) == [16, 235])
  }

  @Test func `frames kept by a consumer are not overwritten`() throws {
    var kept: [Kept] = []
    let format = VideoFormat(size: PictureSize(width: 128, height: 96), frameRate: .thirty)
    let seen = try frames(10, format) { _, captured in
      if let frame = try? captured.frame.reference() { kept.append(Kept(frame)) }
    }
    let layout = try #require(MarkLayout(size: format.size))
    let marks = kept.map { kept in
      kept.frame.withPlane(0) { layout.read($0.bindMemory(to: UInt8.self).span, bytesPerLine: $1) }
    }
    #expect(marks == seen.map(\.mark))
  }

  @Test func `test frames' numbers follow the clock when the consumer is slow`() throws {
    let format = VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)
    let pause = try Wakeup()
    let seen = try frames(4, format) { index, _ in
      if index == 1 { _ = pause.wait(until: .now + .milliseconds(200)) }
    }
    #expect(seen[2].lostBefore >= 4)
    #expect(seen[2].mark?.number == UInt32(2 + seen[0...2].reduce(0) { $0 + $1.lostBefore }))
    let passed = (seen[2].captureTime - seen[0].captureTime).milliseconds * 30 / 1000
    #expect(abs(passed - Double(2 + seen[1].lostBefore + seen[2].lostBefore)) < 0.001)
  }

  @Test func `a test picture that is too small is rejected`() throws {
    let stop = try Wakeup()
    let picture = TestPicture(
      format: VideoFormat(size: PictureSize(width: 32, height: 32), frameRate: .thirty))
    #expect { try picture.run(until: stop) { _ in } } throws: { ($0 as? CaptureError)?.kind == .unsuitable }
  }
}

/// Holds on to a frame, as an encoder with lookahead does.
private final class Kept {
  let frame: Frame
  init(_ frame: consuming Frame) { self.frame = frame }
}
