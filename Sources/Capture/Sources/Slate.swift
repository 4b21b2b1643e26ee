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
  private static let neutral: UInt8 = 128

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    do {
      let picture = try draw()
      let interval = max(1_000_000, format.frameRate.frameDuration.nanoseconds)
      var next = MonotonicTime.now
      repeat {
        deliver(CapturedFrame(try picture.reference(), captureTime: next))
        let late = max(0, (.now - next).nanoseconds / interval)
        next = next + MediaTime(nanoseconds: (late + 1) * interval)
      } while !stop.wait(until: next)
    } catch {
      throw CaptureError(
        .unsuitable, .video, device: "slate", what: error.description,
        hint: "check whether the machine is out of memory")
    }
  }

  private func draw() throws(FFmpegError) -> Frame {
    let frame = try Frame(size: format.size, format: pixelFormat)
    for index in 0..<3 {
      frame.withPlane(index) { bytes, _ in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: index == 0 ? Self.ground : Self.neutral)
      }
    }
    frame.withPlane(0) { bytes, bytesPerLine in
      let plane = TestPicturePlane(bytes: bytes, bytesPerLine: bytesPerLine)
      for stroke in strokes { plane.fill(stroke, Self.line) }
    }
    return frame
  }

  private var strokes: [Area] {
    let (width, height) = (format.size.width / 3, format.size.height / 3)
    let (x, y) = (width, height)
    let thick = max(1, height / 16)
    guard width > 2 * thick, height > 2 * thick else { return [] }
    let sides = [
      Area(x: x, y: y, width: width, height: thick),
      Area(x: x, y: y + height - thick, width: width, height: thick),
      Area(x: x, y: y, width: thick, height: height),
      Area(x: x + width - thick, y: y, width: thick, height: height),
    ]
    let diagonal = (0..<height).map { line in
      Area(x: x + (width - 2 * thick) * line / height, y: y + height - 1 - line, width: 2 * thick, height: 1)
    }
    return sides + diagonal
  }
}
