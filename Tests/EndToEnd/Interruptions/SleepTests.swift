import Foundation
import TestSupport
import TestTraits
import Testing

/// The machine goes to sleep under a broadcast, and wakes.
@Suite(.realTime) struct SleepTests {
  @Test func `the recording is finished before the machine sleeps, and waking begins a new broadcast`() throws
  {
    let folder = ScratchFolder()
    let bus = try PrivateBus()
    let logind = try FakeLogind(on: bus)
    let subject = try HoldfastSubject(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], in: folder)
    #expect(subject.reports("live"), "\(subject.said)")
    #expect(logind.waitForInhibitor())
    try logind.suspend()
    #expect(logind.waitFor("released"), "\(logind.events()) \(subject.said)")
    // The event was written before logind heard of it.
    #expect(subject.values("state", of: "recording").last == "finished")
    #expect(subject.values("reason", of: "ended").first == "background")
    #expect(logind.waitFor("asleep"))
    let first = try RecordingMarks(path: try #require(subject.recording))
    #expect(first.missingPictures <= subject.picturesNeverTaken)
    try logind.wake()
    #expect(subject.reports("live", times: 2), "\(subject.said)")
    #expect(logind.waitForInhibitor(times: 2))
    subject.finish()
    #expect(folder.recordings.count == 2)
    #expect(Set(subject.values("broadcast", of: "live")).count == 2)
  }
}
