import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// What faults of a server, or of the way there, do to a broadcast. `make bench-recovery` prints the figures.
@Suite(.longRealTime) struct PublishingFaultTests {
  @Test(arguments: Fault.allCases)
  func `a fault is noticed, named, survived, and touches nothing else`(fault: Fault) throws {
    let folder = ScratchFolder()
    let measured = try FaultRun.measure(fault, HoldfastSubject.self, healthy: NginxRTMP(in: folder))
    // The bars are for a machine with nothing else to do; here other tests run.
    #expect(measured.overBars(slack: .milliseconds(1500)) == [], "\(measured.said)")
  }
}
