import HoldfastLifecycle
import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct TimerStatusTests {
  private func timer() -> SessionTimer {
    var settings = SessionTimer.Settings()
    settings.maxDuration = .seconds(100)
    settings.maxTotal = .seconds(150)
    var timer = SessionTimer(settings)
    _ = timer.handle(.wentLive, at: .seconds(1000))
    return timer
  }

  private func wall(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func `times are shown by the wall clock`() {
    let status = TimerStatus(timer(), at: .seconds(1030), wall: wall(50_030))
    #expect(status.startedAt == wall(50_000) && status.endsAt == wall(50_100))
    #expect(status.secondsLeft == 70 && status.length == .seconds(100) && status.most == .seconds(150))
  }

  @Test func `a wall clock that is set moves what is shown, and not what is left`() {
    let status = TimerStatus(timer(), at: .seconds(1030), wall: wall(90_030))
    #expect(status.endsAt == wall(90_100) && status.secondsLeft == 70)
  }

  @Test func `before it is live nothing is known but its length`() {
    let status = TimerStatus(SessionTimer(), at: .seconds(1), wall: wall(1))
    #expect(
      status.state == .off && status.startedAt == nil && status.endsAt == nil && status.secondsLeft == nil)
  }
}
