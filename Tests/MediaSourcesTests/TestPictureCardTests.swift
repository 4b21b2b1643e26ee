import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import Testing

@testable import HoldfastMediaSources

@Suite struct TestPictureCardTests {
  private static let sizes = [
    (64, 64), (65, 71), (67, 300), (999, 64), (201, 99), (320, 180), (426, 240), (180, 320), (641, 361),
  ].map { PictureSize(width: $0.0, height: $0.1) }

  private func card(_ size: PictureSize) throws -> TestPictureCard {
    TestPictureCard(marks: try #require(MarkLayout(size: size)), rate: .thirty)
  }

  private func content(_ number: Int64) -> TestPictureContent {
    let time = MonotonicTime(nanoseconds: 0) + FrameRate.thirty.time(ofFrame: number)
    return TestPictureContent(
      mark: FrameMark(number: UInt32(number), captureTime: time),
      isFlashing: SecondMark.isFlashing(at: time), wallClock: time.nanoseconds)
  }

  /// The pixels of a picture, without what fills up its lines.
  private func pixels(_ frame: borrowing Frame) -> [[UInt8]] {
    let size = frame.size
    return (0..<3).map { index in
      frame.withPlane(index) { bytes, bytesPerLine in
        let width = index == 0 ? size.width : (size.width + 1) / 2
        return stride(from: 0, to: bytes.count, by: bytesPerLine).flatMap { bytes[$0..<$0 + width] }
      }
    }
  }

  @Test(arguments: sizes)
  func `drawing what changed gives the same test picture as drawing everything`(size: PictureSize) throws {
    let card = try card(size)
    let reused = try Frame(size: size, format: .yuv420p)
    var shown: TestPictureContent?
    for number in [0, 1, 2, 3, 29, 30, 33, 239, 240, 241, 5000, 123_456_789] as [Int64] {
      let content = content(number)
      card.draw(content, over: shown, into: reused)
      shown = content
      let fresh = try Frame(size: size, format: .yuv420p)
      card.draw(content, over: nil, into: fresh)
      let isSame = pixels(reused) == pixels(fresh)
      #expect(isSame, "frame \(number)")
    }
  }

  @Test func `a test picture's parts stay inside it without overlapping, at any size`() {
    var wrong: PictureSize?
    for width in stride(from: 64, through: 700, by: 7) {
      for height in stride(from: 64, through: 500, by: 3) where wrong == nil {
        let size = PictureSize(width: width, height: height)
        guard let marks = MarkLayout(size: size) else { continue }
        let areas = TestPictureAreas(size: size, markHeight: marks.height)
        let bands = [areas.marks, areas.bars, areas.ramp, areas.lane, areas.ground]
        let areStacked = zip(bands, bands.dropFirst()).allSatisfy { $0.y + $0.height == $1.y }
        let end = areas.ground.y + areas.ground.height
        let signs = [areas.texts[0], areas.flash, areas.texts[1]]
        let areBeside = zip(signs, signs.dropFirst()).allSatisfy { $0.x + $0.width <= $1.x }
        let mover = areas.mover(inFrame: 12345, step: 4)
        let isMoverInLane =
          mover.x >= 0 && mover.x + mover.width <= width && mover.y >= areas.lane.y
          && mover.y + mover.height <= areas.lane.y + areas.lane.height
        if !areStacked || end != height || !areBeside || !isMoverInLane { wrong = size }
      }
    }
    #expect(wrong == nil)
  }

  @Test func `a test picture shows its number and the time of day`() {
    let content = TestPictureContent(
      mark: FrameMark(number: 42, captureTime: MonotonicTime(nanoseconds: 0)), isFlashing: false,
      wallClock: 1_700_000_000_123_456_789)
    #expect((content.number, content.time) == ("00000042", "22:13:20.123"))
  }
}
