public import Holdfast
import HoldfastPlatform

/// A test camera that can be unplugged. It shows a bar that moves with each picture.
public final class TestCamera: PictureSource {
  /// Thrown by `run` while the camera is unplugged.
  public struct Unplugged: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String { "it was unplugged" }
  }

  public let name: String
  public let size: PictureSize
  public let frameRate: FrameRate
  private let isOut = Locked(false)

  /// Creates a plugged-in camera; width and height must be even.
  public init(
    name: String = "test camera", size: PictureSize = PictureSize(width: 320, height: 240),
    frameRate: FrameRate = 30
  ) {
    self.name = name
    self.size = size
    self.frameRate = frameRate
  }

  /// Unplugs the camera: the source is lost until `plugIn()`.
  public func unplug() { isOut.withLock { $0 = true } }
  /// Plugs the camera in again.
  public func plugIn() { isOut.withLock { $0 = false } }

  /// Delivers pictures at the frame rate; throws `Unplugged` while the camera is unplugged.
  public func run(until stop: SourceStop, deliver: (Picture) -> Void) throws {
    var due = CaptureTime.now
    var number = 0
    while !stop.wait(until: due) {
      guard !isOut.withLock({ $0 }) else { throw Unplugged() }
      if let picture = Picture(size: size, planes: planes(number), captureTime: due) { deliver(picture) }
      number += 1
      due = due + frameRate.frameDuration
    }
  }

  private func planes(_ number: Int) -> [UInt8] {
    let bar = number * 4 % size.width
    var line = [UInt8](repeating: 60, count: size.width)
    for column in bar..<min(bar + 16, size.width) { line[column] = 220 }
    let luma = (0..<size.height).flatMap { _ in line }
    return luma + [UInt8](repeating: 128, count: size.width * size.height / 2)
  }
}
