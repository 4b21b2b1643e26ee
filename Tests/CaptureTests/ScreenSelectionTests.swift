import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

/// The spelling of screens, displays and areas.
@Suite struct ScreenSelectionTests {
  private static func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PictureArea {
    PictureArea(x: x, y: y, size: PictureSize(width: width, height: height))
  }

  @Test(
    arguments: [
      ("screen", ScreenSelection()), ("screen::0", ScreenSelection(display: ":0")),
      ("screen::1.2", ScreenSelection(display: ":1.2")),
      ("screen:box-7.local:10.0", ScreenSelection(display: "box-7.local:10.0")),
      ("screen:[::1]:0", ScreenSelection(display: "[::1]:0")),
      ("screen:unix:3", ScreenSelection(display: "unix:3")),
      ("screen+0,0,640x480", ScreenSelection(area: area(0, 0, 640, 480))),
      ("screen::0+100,50,1280x720", ScreenSelection(display: ":0", area: area(100, 50, 1280, 720))),
    ])
  func `a screen is read and written`(text: String, selection: ScreenSelection) {
    #expect((ScreenSelection(text), selection.description) == (selection, text))
  }

  @Test(arguments: [("screen:0", ":0"), ("screen:12.1", ":12.1"), ("screen:0+1,2,4x4", ":0")])
  func `the colon before a display's number may be left out`(text: String, display: String) {
    #expect(ScreenSelection(text)?.display == display)
  }

  @Test(arguments: [
    "", "Screen", "screens", "screen:", "screen::", "screen:host", "screen:::0", "screen:a::0", "screen::-1",
    "screen::+1", "screen::0.", "screen::0.1.2", "screen::59536", "screen:/tmp/x:0", "screen:a b:0",
    "screen+", "screen+0,0", "screen+0,0,640", "screen+-1,0,640x480", "screen+0,0,0x480", "screen+0,0,1x2",
    "screen+0,0,640x480x2", "screen+65536,0,2x2", "screen+0,0,640x480+1,1,2x2", "screen 0",
  ])
  func `what names no screen is rejected`(text: String) {
    #expect(ScreenSelection(text) == nil)
  }

  @Test(arguments: [
    (area(0, 0, 640, 480), area(0, 0, 640, 480)), (area(600, 0, 640, 480), area(600, 0, 424, 480)),
    (area(0, 700, 640, 480), area(0, 700, 640, 68)), (area(3, 5, 33, 35), area(3, 5, 32, 34)),
    (area(0, 0, 65_535, 65_535), area(0, 0, 1024, 768)), (area(1024, 0, 2, 2), nil),
    (area(1023, 0, 2, 2), nil), (area(0, 5000, 2, 2), nil),
  ])
  func `an area is clipped to the screen, with even lengths`(area: PictureArea, visible: PictureArea?) {
    #expect(area.clipped(to: PictureSize(width: 1024, height: 768)) == visible)
  }

  @Test func `a display's name has a host, a number and a screen`() throws {
    let remote = try #require(XDisplayName("[fe80::1]:10.3"))
    #expect(remote.host == "fe80::1" && remote.number == 10 && remote.screen == 3 && remote.port == 6010)
    let local = try #require(XDisplayName("unix:0"))
    #expect(local.host == nil && local.number == 0 && local.screen == 0)
  }
}
