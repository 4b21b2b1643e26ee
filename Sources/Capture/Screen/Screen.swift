import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// An X screen with its pointer. Its pictures may change their size with the screen.
package final class Screen: VideoSource {
  package let format: VideoFormat
  /// Pictures are packed RGB; this is what encoders make of it.
  package let pixelFormat = PixelFormat.yuv420p
  package let summary: String
  private let target: ScreenTarget
  private let grabber: ScreenGrabber

  /// Opens the screen, to be captured at the requested rate.
  package init(_ selection: ScreenSelection, rate: FrameRate) throws(CaptureError) {
    guard ScreenReader.isAvailable else { throw ScreenFailure.noLibrary(ScreenReader.library) }
    target = try ScreenTarget(selection)
    grabber = try ScreenGrabber(target, rate)
    format = VideoFormat(size: grabber.area.size, frameRate: rate)
    let isXWayland = selection.display == nil && ScreenTarget.isWayland
    summary =
      "screen \(target.display), \(format)" + (isXWayland ? "; a Wayland session, so X windows only" : "")
  }

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    try grabber.run(target.display, until: stop, deliver: deliver)
  }
}
