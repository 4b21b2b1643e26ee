import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct CameraClockTests {
  /// An instant so long after the camera was started, on a machine that had then run for 1000 s.
  private func instant(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: (1_000_000 + milliseconds) * 1_000_000)
  }

  private func times(_ pictures: [(stamp: Int64?, arrival: Int64)]) -> [MonotonicTime] {
    var clock = CameraClock(start: instant(0))
    return pictures.map { clock.time(stamp: $0.stamp.map(instant), arrival: instant($0.arrival)) }
  }

  @Test func `a driver's stamps are used unchanged, however late the pictures arrive`() {
    #expect(times([(33, 35), (66, 5000), (100, 5001)]) == [33, 66, 100].map(instant))
  }

  @Test(arguments: [-999 as Int64, 0, 35, 84])
  func `a stamp may be a little early or late`(stamp: Int64) {
    #expect(times([(stamp, 35)]) == [instant(stamp)])
  }

  @Test(arguments: [-1_000_000 as Int64, -1001, 86, 1_000_000_000])
  func `an implausible stamp and all later ones are replaced by arrival times`(stamp: Int64) {
    #expect(times([(stamp, 35), (66, 68), (nil, 101)]) == [35, 68, 101].map(instant))
  }

  @Test func `pictures without stamps are timed by their arrival`() {
    #expect(times([(nil, 35), (nil, 68)]) == [35, 68].map(instant))
  }

  @Test(arguments: [66 as Int64, 40, 200_000])
  func `time continues from arrivals once stamps become implausible`(stamp: Int64) {
    #expect(times([(33, 35), (66, 68), (stamp, 101)]) == [33, 66, 101].map(instant))
  }

  @Test func `no two pictures get the same time, even without stamps`() {
    let times = times([(80, 35), (nil, 36), (nil, 36)])
    #expect(times[0] < times[1] && times[1] < times[2], "\(times)")
  }
}

@Suite struct CameraLossesTests {
  @Test(arguments: [
    (0 as UInt32, 1 as UInt32, 0), (0, 2, 1), (7, 40, 32), (.max, 0, 0), (.max - 1, 2, 3), (5, 5, 0),
    (100, 0, 0),
  ])
  func `a jump in sequence numbers counts as lost pictures`(first: UInt32, next: UInt32, lost: Int) {
    var losses = CameraLosses()
    losses.use(first)
    #expect(losses.before(next) == lost)
  }

  @Test(arguments: [0 as UInt32, 1, 1000])
  func `nothing is lost before the first picture, whatever its number`(first: UInt32) {
    #expect(CameraLosses().before(first) == 0)
  }

  @Test func `skipped pictures count as lost, even if the driver does not number pictures`() {
    var losses = CameraLosses()
    losses.leaveOut()
    #expect(losses.before(0) == 1)
    losses.use(0)
    losses.leaveOut()
    losses.leaveOut()
    #expect(losses.before(0) == 2)
    losses.use(0)
    #expect(losses.before(0) == 0)
  }

  @Test func `a skipped picture that the driver has numbered counts as lost only once`() {
    var losses = CameraLosses()
    losses.use(10)
    losses.leaveOut()
    #expect([12, 14].map { losses.before($0) } == [1, 3])
  }
}
