import Foundation
import TestSupport
import TestTraits
import Testing

/// The machine sleeps and wakes during a broadcast.
@Suite(.realTime) struct SleepTests {
  @Test func `the recording is finished before the machine sleeps, and waking starts a new broadcast`() throws
  {
    let folder = ScratchFolder()
    let bus = try PrivateBus()
    let logind = try FakeLogind(on: bus)
    let subject = try HoldfastSubject(environment: bus.environment, in: folder).whenLive()
    #expect(logind.waitForInhibitor())
    try logind.suspend()
    #expect(logind.waitFor("released"), "\(logind.events()) \(subject.log)")
    // The event is written before the inhibitor is released.
    #expect(subject.values("state", of: "recording").last == "finished")
    #expect(subject.values("reason", of: "ended").first == "background" && logind.waitFor("asleep"))
    let first = try RecordingMarks(path: try #require(subject.recording))
    #expect(first.missingPictures <= subject.uncapturedPictures)
    try logind.wake()
    #expect(subject.reports("live", times: 2) && logind.waitForInhibitor(times: 2), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 2 && Set(subject.values("broadcast", of: "live")).count == 2)
  }
}
