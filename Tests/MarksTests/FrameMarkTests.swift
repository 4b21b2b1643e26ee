import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastMarks

@Suite struct FrameMarkTests {
  static let sizes = [(64, 64), (65, 71), (101, 300), (320, 180), (640, 360), (1280, 720)].map {
    PictureSize(width: $0.0, height: $0.1)
  }

  @Test(arguments: sizes)
  func `a drawn mark is read back`(size: PictureSize) throws {
    var picture = try Luma(size)
    var randomness = SplitMix64(seed: UInt64(size.area))
    let marks = (0..<40).map { _ in FrameMark.random(using: &randomness) } + [.zeroes, .ones]
    for mark in marks {
      picture.draw(mark)
      #expect(picture.read() == mark)
    }
  }

  @Test func `redrawing only a mark's changed cells gives the same picture`() throws {
    var randomness = SplitMix64(seed: 7)
    var redrawn = try Luma(FrameMarkTests.sizes[3])
    var shown: FrameMark?
    for _ in 0..<40 {
      let mark = FrameMark.random(using: &randomness)
      redrawn.draw(mark, over: shown)
      shown = mark
      var fresh = try Luma(FrameMarkTests.sizes[3])
      fresh.draw(mark)
      #expect(redrawn.bytes == fresh.bytes)
    }
  }

  @Test func `a mark keeps its capture time in whole microseconds`() {
    let mark = FrameMark(number: 1, captureTime: MonotonicTime(nanoseconds: 1_234_567_899))
    #expect(mark.captureTime.nanoseconds == 1_234_567_000)
  }

  @Test(arguments: sizes)
  func `a mark stays readable despite noise and blur`(size: PictureSize) throws {
    var randomness = SplitMix64(seed: 3)
    for _ in 0..<10 {
      let mark = FrameMark.random(using: &randomness)
      var picture = try Luma(size)
      picture.draw(mark)
      picture.blur()
      picture.addNoise(upTo: 70, using: &randomness)
      #expect(picture.read() == mark)
    }
  }

  @Test func `any one or two flipped bits of a mark are detected`() {
    let word = FrameMark(number: 123_456, captureTime: MonotonicTime(nanoseconds: 987_654_321_000)).word
    for first in 0..<FrameMark.bitCount {
      for second in first..<FrameMark.bitCount {
        let flipped = word ^ (1 << UInt128(first)) ^ (first == second ? 0 : 1 << UInt128(second))
        #expect(FrameMark(word: flipped) == nil)
      }
    }
  }

  @Test func `a flipped cell in the picture makes the mark unreadable`() throws {
    var picture = try Luma(FrameMarkTests.sizes[5])
    picture.draw(.zeroes)
    picture.invert(cell: 50)
    #expect(picture.read() == nil)
  }

  @Test(arguments: [0, 16, 128, 235, 255] as [UInt8])
  func `a uniform picture carries no mark`(value: UInt8) throws {
    #expect(try Luma(FrameMarkTests.sizes[3], value: value).read() == nil)
  }

  @Test func `a truncated picture is neither read nor drawn into`() throws {
    var picture = try Luma(FrameMarkTests.sizes[3])
    picture.draw(.ones)
    picture.bytes.removeLast(picture.bytes.count - 320 * 29)
    #expect(picture.read() == nil)
    let before = picture.bytes
    picture.draw(.zeroes)
    #expect(picture.bytes == before)
  }
}

extension FrameMark {
  static let zeroes = FrameMark(number: 0, captureTime: MonotonicTime(nanoseconds: 0))
  static let ones = FrameMark(number: .max, captureTime: MonotonicTime(nanoseconds: ((1 << 48) - 1) * 1000))

  static func random(using randomness: inout SplitMix64) -> FrameMark {
    FrameMark(
      number: .random(in: 0 ... .max, using: &randomness),
      captureTime: MonotonicTime(nanoseconds: .random(in: 0..<1 << 58, using: &randomness)))
  }
}
