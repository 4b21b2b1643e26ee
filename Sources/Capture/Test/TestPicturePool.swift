internal import HoldfastFFmpeg
internal import HoldfastMediaModel

/// The few pictures that the test picture draws into in turn: only what changed since a picture's last use is
/// drawn.
struct TestPicturePool {
  private let card: TestPictureCard
  private var canvases: [Canvas] = []

  /// A picture that can be shared, and what is to be seen in it.
  private final class Canvas {
    let frame: Frame
    var shown: TestPictureContent?

    init(_ frame: consuming Frame) {
      self.frame = frame
    }
  }

  /// More than any encoder here holds back; who holds more loses frames, as with a camera's buffers.
  private static let limit = 24

  init(card: TestPictureCard) {
    self.card = card
  }

  /// Nil when all pictures are still held by somebody.
  mutating func draw(_ content: TestPictureContent) throws(FFmpegError) -> Frame? {
    guard let canvas = try freeCanvas() else { return nil }
    card.draw(content, over: canvas.shown, into: canvas.frame)
    canvas.shown = content
    return try canvas.frame.reference()
  }

  private mutating func freeCanvas() throws(FFmpegError) -> Canvas? {
    if let free = canvases.first(where: { $0.frame.isOnlyHold }) { return free }
    guard canvases.count < Self.limit else { return nil }
    let canvas = Canvas(try Frame(size: card.areas.size, format: .yuv420p))
    canvases.append(canvas)
    return canvas
  }
}
