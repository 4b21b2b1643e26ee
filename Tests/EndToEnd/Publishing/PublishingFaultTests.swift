import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// The effects of server and network faults on a broadcast. `make bench-recovery` prints the figures.
@Suite(.longRealTime, .long()) struct PublishingFaultTests {
  @Test(arguments: Fault.allCases)
  func `a fault is detected, reported and survived, and affects nothing else`(fault: Fault) throws {
    let folder = ScratchFolder()
    let measured = try FaultRun.measure(fault, HoldfastSubject.self, healthy: NginxRTMP(in: folder))
    // The limits are for an idle machine, but other tests run here.
    #expect(measured.overBars(slack: .milliseconds(1500)) == [], "\(measured.log)")
  }
}
