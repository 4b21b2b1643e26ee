package import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// A display and the area to capture on it.
package struct ScreenTarget: Hashable, Sendable {
  let display: XDisplayName
  /// Nil for the whole screen.
  let area: PictureArea?

  /// An X server answers at once, unless it is stopped.
  private static let answerTimeout = MediaTime.milliseconds(500)
  /// With others, x11grab draws no pointer.
  private static let depths: Set = [24, 32]

  /// Throws if neither the selection nor `$DISPLAY` names a display.
  init(_ selection: ScreenSelection) throws(CaptureError) {
    guard let name = selection.display ?? environmentVariable("DISPLAY") else {
      throw ScreenFailure.noDisplay(isWayland: Self.isWayland)
    }
    guard let display = XDisplayName(name) else {
      throw CaptureError(
        .notFound, .video, device: "screen", what: "DISPLAY is \(name.printable), which is no display's name",
        hint: "name one, as in screen::0")
    }
    self.display = display
    area = selection.area
  }

  static var isWayland: Bool { environmentVariable("WAYLAND_DISPLAY") != nil }

  /// The size of the screen that `$DISPLAY` names; nil without it or its X server.
  package static func current() -> (display: String, size: PictureSize)? {
    guard let target = try? ScreenTarget(ScreenSelection()), let screen = try? target.screen() else {
      return nil
    }
    return (target.display.description, screen.size)
  }

  /// Asks the X server for the screen, and returns the part of it to capture now.
  func visibleArea() throws(CaptureError) -> PictureArea {
    let screen = try screen()
    guard Self.depths.contains(screen.depth) else { throw ScreenFailure.depth(display, screen.depth) }
    let area = area ?? PictureArea(x: 0, y: 0, size: screen.size)
    guard let visible = area.clipped(to: screen.size) else {
      throw ScreenFailure.outside(display, area, screen.size)
    }
    return visible
  }

  private func screen() throws(CaptureError) -> XSetup.Screen {
    let screens = try mapError(XServer.screens(of: display, until: .now + Self.answerTimeout)) {
      (error: XServer.Failure) in ScreenFailure.server(display, error)
    }
    guard screens.indices.contains(display.screen) else {
      throw ScreenFailure.noScreen(display, of: screens.count)
    }
    return screens[display.screen]
  }
}
