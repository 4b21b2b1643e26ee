import HoldfastMediaModel
import HoldfastMediaSources

/// Explains why a screen can't be captured.
enum ScreenFailure {
  /// Without `$DISPLAY`.
  static func noDisplay(isWayland: Bool) -> CaptureError {
    isWayland
      ? error(
        .unsuitable, "screen", "this is a Wayland session, which lets no program capture its screen",
        hint:
          "log in to an X session, or use a capture card; XWayland (screen::0) has X programs' windows only")
      : error(
        .notFound, "screen", "DISPLAY is not set, so it is unknown which X server to capture",
        hint: "name its display, as in screen::0, or start the program within the X session")
  }

  static func server(_ display: XDisplayName, _ failure: XServer.Failure) -> CaptureError {
    switch failure {
    case .notThere:
      error(
        .notFound, display, "no X server has this display",
        hint: "start it, or choose another display (echo $DISPLAY in the session shows its own)")
    case .notPermitted:
      error(
        .notPermitted, display, "no permission for the X server's socket",
        hint: "run the program as the session's user")
    case .notResponding:
      error(
        .lost, display, "the X server does not respond", hint: "check whether it is stopped or overloaded")
    case .refused(let reason):
      error(
        .notPermitted, display,
        "the X server refuses the connection" + (reason.isEmpty ? "" : " (\(reason))"),
        hint: "set XAUTHORITY to the session's authority file, or run xhost +si:localuser:USER in the session"
      )
    case .notX:
      error(.unsuitable, display, "what answers is not an X server", hint: "choose another display")
    case .other(let what):
      error(.notFound, display, "the X server can't be reached: \(what)", hint: "check the display's name")
    }
  }

  static func noScreen(_ display: XDisplayName, of count: Int) -> CaptureError {
    error(
      .notFound, display, "the display has no screen \(display.screen)",
      hint: count == 1 ? "its only one is 0" : "its screens are 0 to \(count - 1)")
  }

  static func outside(_ display: XDisplayName, _ area: PictureArea, _ screen: PictureSize) -> CaptureError {
    error(
      .unsuitable, display, "the area \(area.written) is outside of the screen, which is \(screen)",
      hint: "choose one within it")
  }

  static func depth(_ display: XDisplayName, _ depth: Int) -> CaptureError {
    error(
      .unsuitable, display, "a screen with \(depth) bits of colour can't be captured",
      hint: "set it to 24 bits")
  }

  static func noLibrary(_ name: String) -> CaptureError {
    error(
      .unsuitable, "screen", "\(name), which captures screens, is not installed",
      hint: "install it (on Debian 12 the package libavdevice59)")
  }

  static func lost(_ display: XDisplayName, _ what: String) -> CaptureError {
    error(.lost, display, what, hint: "check whether the X server runs")
  }

  private static func error(
    _ kind: CaptureError.Kind, _ display: XDisplayName, _ what: String, hint: String
  ) -> CaptureError {
    error(kind, "screen:\(display)", what, hint: hint)
  }

  private static func error(
    _ kind: CaptureError.Kind, _ device: String, _ what: String, hint: String
  ) -> CaptureError {
    CaptureError(kind, .video, device: device, what: what, hint: hint)
  }
}
