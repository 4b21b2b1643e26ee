import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// Replaces a lost camera by a dark picture with a crossed-out frame, at the camera's rate.
package struct Slate: VideoSource {
  package let format: VideoFormat
  package let pixelFormat = PixelFormat.yuv420p
  package var summary: String { "slate, \(format)" }

  package init(format: VideoFormat) { self.format = format }

  private static let ground: UInt8 = 40
  private static let line: UInt8 = 110

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    do {
      let picture = try draw()
      var cadence = Cadence(format.frameRate, from: .now)
      repeat {
        deliver(CapturedFrame(try picture.reference(), captureTime: cadence.next))
        _ = cadence.advance(past: .now)
      } while !stop.wait(until: cadence.next)
    } catch {
      throw CaptureError(
        .unsuitable, .video, device: "slate", what: error.description,
        hint: "check whether the machine is out of memory")
    }
  }

  private func draw() throws(FFmpegError) -> Frame {
    let frame = try Frame(black: format.size, format: pixelFormat)
    frame.fill(PictureArea(x: 0, y: 0, size: format.size), luma: Self.ground)
    for stroke in strokes { frame.fill(stroke, luma: Self.line) }
    return frame
  }

  private var strokes: [PictureArea] {
    let (width, height) = (format.size.width / 3, format.size.height / 3)
    let (x, y) = (width, height)
    let thick = max(1, height / 16)
    guard width > 2 * thick, height > 2 * thick else { return [] }
    let inside = PictureArea(
      x: x + thick, y: y + thick,
      size: PictureSize(width: width - 2 * thick, height: height - 2 * thick))
    let sides = inside.bars(in: PictureArea(x: x, y: y, size: PictureSize(width: width, height: height)))
    let diagonal = (0..<height).map { line in
      PictureArea(
        x: x + (width - 2 * thick) * line / height, y: y + height - 1 - line,
        size: PictureSize(width: 2 * thick, height: 1))
    }
    return sides + diagonal
  }
}
