import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastMembership

/// A box that shows its screen in place of its camera.
@Suite final class BoxScreenTests {
  private var run: BoxRun

  init() throws { run = try BoxRun.joined() }

  private func shares() throws -> Bool { try #require(try run.member).sharesScreen }

  @Test func `what its operator shows is shared, until it is hidden`() throws {
    try run.showScreen(true, passing: .seconds(1))
    #expect(try shares())
    try run.showScreen(false, passing: .seconds(1))
    #expect(try !shares())
  }

  @Test func `the user asks for the screen from elsewhere, and for the camera again`() throws {
    let id = try run.id()
    for isShown in [true, false] {
      try run.act(isShown ? .share : .unshare, as: TestHub.participant, for: id, passing: .seconds(4))
      #expect(run.isScreenShown == isShown)
    }
  }

  @Test func `a screen is hidden when screens are locked`() throws {
    try run.showScreen(true, passing: .seconds(1))
    try run.act(.lockScreens, passing: .seconds(4))
    #expect(!run.isScreenShown)
  }

  @Test func `a screen that is shown while screens are locked is hidden again, and why is reported`() throws {
    try run.hub.act(.lockScreens)
    try run.showScreen(true, passing: .seconds(4))
    #expect(!run.isScreenShown)
    let refused = run.takeReports().contains {
      guard case .answered(.share(true), _, .refused(let refusal)) = $0 else { return false }
      return refusal.code == "screensLocked"
    }
    #expect(refused)
  }

  @Test func `asked for and taken back while the source is switching, it is the camera in the end`() throws {
    let id = try run.id()
    try run.act(.share, as: TestHub.participant, for: id, passing: .milliseconds(300))
    try run.act(.unshare, as: TestHub.participant, for: id, passing: .seconds(10))
    #expect(try !run.isScreenShown && !shares())
  }

  @Test func `whoever joins again says that it shows the screen`() throws {
    try run.showScreen(true)
    try run.cut(passing: .seconds(60))
    try run.mend(passing: .seconds(20))
    #expect(try run.isScreenShown && shares())
  }

  /// Which began with the screen, or whose camera is gone.
  @Test func `a box that has only the screen is not asked again and again`() throws {
    try run.showScreen(true, passing: .seconds(1))
    run.canHideScreen = false
    try run.act(.lockScreens, passing: .seconds(30))
    #expect(try run.isScreenShown && !shares() && run.screenRequests == 1)
  }
}
