internal import HoldfastFFmpeg
internal import HoldfastMarks
internal import HoldfastMediaModel

/// What one frame of the test picture shows.
struct TestPictureContent {
  let mark: FrameMark
  let isFlashing: Bool
  let number: String
  let time: String

  /// `wallClock` in nanoseconds since 1970.
  init(mark: FrameMark, isFlashing: Bool, wallClock: Int64) {
    self.mark = mark
    self.isFlashing = isFlashing
    number = Self.padded(Int64(mark.number), 8)
    let milliseconds = wallClock / 1_000_000 % 86_400_000
    time =
      Self.padded(milliseconds / 3_600_000, 2) + ":" + Self.padded(milliseconds / 60_000 % 60, 2) + ":"
      + Self.padded(milliseconds / 1000 % 60, 2) + "." + Self.padded(milliseconds % 1000, 3)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// The test card, rendered once, and how its moving parts are drawn on it.
struct TestPictureCard: Sendable {
  let areas: TestPictureAreas
  private let marks: MarkLayout
  /// Three planes each: luma and the two colours.
  private let background: [Bitmap]
  private let mover: [Bitmap]
  private let step: Int
  private let number: TestPictureText?
  private let time: TestPictureText?

  init(marks: MarkLayout, rate: FrameRate) {
    let areas = TestPictureAreas(size: marks.size, markHeight: marks.height)
    self.areas = areas
    self.marks = marks
    background = TestPictureArtwork.background(areas)
    mover = TestPictureArtwork.mover(side: areas.moverSide)
    // Eight seconds from one side to the other.
    step = max(2, TestPictureAreas.even(Int(Double(areas.size.width) / 8 / rate.framesPerSecond)))
    let (ink, paper) = (MarkLayout.light, TestPictureArtwork.ground)
    number = TestPictureText(in: areas.texts[0], digits: 8, separators: 0, ink: ink, paper: paper)
    time = TestPictureText(in: areas.texts[1], digits: 9, separators: 3, ink: ink, paper: paper)
  }

  /// Draws what differs from `previous`, which is what `frame` shows; everything where it shows nothing yet.
  func draw(_ content: TestPictureContent, over previous: TestPictureContent?, into frame: borrowing Frame) {
    let old = previous.map { areas.mover(inFrame: $0.mark.number, step: step) }
    let new = areas.mover(inFrame: content.mark.number, step: step)
    for index in 0..<3 {
      frame.withPlane(index) { bytes, bytesPerLine in
        let plane = TestPicturePlane(bytes: bytes, bytesPerLine: bytesPerLine)
        let (old, new) = index == 0 ? (old, new) : (old?.halved, new.halved)
        if let old {
          plane.copy(old, of: background[index], toX: old.x, y: old.y)
        } else {
          plane.copy(background[index], toX: 0, y: 0)
        }
        plane.copy(mover[index], toX: new.x, y: new.y)
        if index == 0 { drawSigns(content, over: previous, into: plane) }
      }
    }
  }

  /// Marks, flash and text are black and white.
  private func drawSigns(
    _ content: TestPictureContent, over previous: TestPictureContent?, into plane: TestPicturePlane
  ) {
    var luma = plane.bytes.bindMemory(to: UInt8.self).mutableSpan
    marks.draw(content.mark, over: previous?.mark, into: &luma, bytesPerLine: plane.bytesPerLine)
    if content.isFlashing != (previous?.isFlashing ?? false) {
      plane.fill(areas.flash, content.isFlashing ? MarkLayout.light : TestPictureArtwork.unlit)
    }
    number?.draw(content.number, over: previous?.number, into: plane)
    time?.draw(content.time, over: previous?.time, into: plane)
  }
}
