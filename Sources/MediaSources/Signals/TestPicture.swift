import HoldfastFFmpeg
import HoldfastMarks
package import HoldfastMediaModel
package import HoldfastPlatform

/// A moving test card in real time: colour bars, frame number and UTC time; a `FrameMark` in each frame, and
/// a flash at each whole second of the monotonic clock.
package struct TestPicture: VideoSource {
  package let format: VideoFormat
  package let pixelFormat = PixelFormat.yuv420p
  package var summary: String { "test picture, \(format)" }

  private let card: TestPictureCard?

  package init(format: VideoFormat) {
    self.format = format
    card = MarkLayout(size: format.size).map { TestPictureCard(marks: $0, rate: format.frameRate) }
  }

  /// Delivers frames on a grid from the monotonic clock's zero. Late frames are skipped, so that numbers
  /// follow the clock.
  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    guard let card else { throw Self.failure("\(format.size) is too small", hint: "use at least 64x64") }
    var pool = TestPicturePool(card: card)
    let rate = format.frameRate
    let first = rate.frame(dueBy: .now) + 1
    var next = first
    var lost = 0
    while !stop.wait(until: rate.instant(ofFrame: next)) {
      let current = rate.frame(dueBy: .now)
      if current - next > 1 {
        lost += Int(current - next)
        next = current
      }
      let captureTime = rate.instant(ofFrame: next)
      let content = TestPictureContent(
        mark: FrameMark(number: UInt32(truncatingIfNeeded: next - first), captureTime: captureTime),
        isFlashing: SecondMark.isFlashing(at: captureTime),
        wallClock: WallTime.now.nanoseconds - (MonotonicTime.now - captureTime).nanoseconds)
      next += 1
      let frame = try mapError(pool.draw(content)) { (error: FFmpegError) in
        Self.failure(error.description, hint: "check whether the machine is out of memory")
      }
      guard let frame else {
        lost += 1
        continue
      }
      deliver(CapturedFrame(frame, captureTime: captureTime, lostBefore: lost))
      lost = 0
    }
  }

  private static func failure(_ what: String, hint: String) -> CaptureError {
    CaptureError(.unsuitable, .video, device: "test picture", what: what, hint: hint)
  }
}

extension FrameRate {
  /// On a grid from the monotonic clock's zero.
  package func instant(ofFrame number: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + time(ofFrame: number)
  }

  /// The last frame that is due at `instant`.
  package func frame(dueBy instant: MonotonicTime) -> Int64 {
    let time = instant - MonotonicTime(nanoseconds: 0)
    let near = time.ticks(timescale: numerator) / Int64(denominator)
    return self.time(ofFrame: near) <= time ? near : near - 1
  }
}
