import Testing

@testable import HoldfastCapture

@Suite struct CameraLossesTests {
  @Test(arguments: [
    (0 as UInt32, 1 as UInt32, 0), (0, 2, 1), (7, 40, 32), (.max, 0, 0), (.max - 1, 2, 3), (5, 5, 0),
    (100, 0, 0),
  ])
  func `a jump in the driver's numbers is what was lost`(first: UInt32, next: UInt32, lost: Int) {
    var losses = CameraLosses()
    losses.use(first)
    #expect(losses.before(next) == lost)
  }

  @Test(arguments: [0 as UInt32, 1, 1000])
  func `nothing is lost before the first picture, whatever its number`(first: UInt32) {
    #expect(CameraLosses().before(first) == 0)
  }

  @Test func `pictures left out are lost, also with a driver that doesn't count`() {
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

  @Test func `a picture left out that the driver has counted is lost once`() {
    var losses = CameraLosses()
    losses.use(10)
    losses.leaveOut()
    #expect(losses.before(12) == 1)
    #expect(losses.before(14) == 3)
  }
}
