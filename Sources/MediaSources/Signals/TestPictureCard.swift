import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel

struct TestPictureContent {
  let mark: FrameMark
  let isFlashing: Bool
  let number: String
  let time: String

  /// `wallClock` is in nanoseconds since 1970.
  init(mark: FrameMark, isFlashing: Bool, wallClock: Int64) {
    self.mark = mark
    self.isFlashing = isFlashing
    number = padded(Int64(mark.number), 8)
    let milliseconds = wallClock / 1_000_000 % 86_400_000
    time =
      padded(milliseconds / 3_600_000, 2) + ":" + padded(milliseconds / 60_000 % 60, 2) + ":"
      + padded(milliseconds / 1000 % 60, 2) + "." + padded(milliseconds % 1000, 3)
  }
}

/// The rendered test card; draws its moving parts.
struct TestPictureCard: Sendable {
  let areas: TestPictureAreas
  private let marks: MarkLayout
  /// Luma and both chroma planes.
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
    // Eight seconds across the picture.
    step = max(2, TestPictureAreas.even(Int(Double(areas.size.width) / 8 / rate.framesPerSecond)))
    let (ink, paper) = (MarkLayout.light, TestPictureArtwork.ground)
    number = TestPictureText(in: areas.texts[0], digits: 8, separators: 0, ink: ink, paper: paper)
    time = TestPictureText(in: areas.texts[1], digits: 9, separators: 3, ink: ink, paper: paper)
  }

  /// Draws the differences from `previous`, the content of `frame`; draws everything if nil.
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

/// Reuses pictures, so that only changes since a picture's last use are drawn.
struct TestPicturePool {
  private let card: TestPictureCard
  private var canvases: [Canvas] = []

  private final class Canvas {
    let frame: Frame
    var shown: TestPictureContent?

    init(_ frame: consuming Frame) { self.frame = frame }
  }

  /// More than any encoder retains; a limit like that of a camera's buffers.
  private static let limit = 24

  init(card: TestPictureCard) { self.card = card }

  /// Nil when all pictures are in use.
  mutating func draw(_ content: TestPictureContent) throws(FFmpegError) -> Frame? {
    guard let canvas = try freeCanvas() else { return nil }
    card.draw(content, over: canvas.shown, into: canvas.frame)
    canvas.shown = content
    return try canvas.frame.reference()
  }

  private mutating func freeCanvas() throws(FFmpegError) -> Canvas? {
    if let free = canvases.first(where: { $0.frame.isUniquelyReferenced }) { return free }
    guard canvases.count < Self.limit else { return nil }
    let canvas = Canvas(try Frame(size: card.areas.size, format: .yuv420p))
    canvases.append(canvas)
    return canvas
  }
}
