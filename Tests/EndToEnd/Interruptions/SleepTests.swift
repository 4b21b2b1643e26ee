import Foundation
import TestSupport
import TestTraits
import Testing

/// The machine goes to sleep under a broadcast, and wakes.
@Suite(.realTime) struct SleepTests {
  @Test func `the recording is finished before the machine sleeps, and waking begins a new broadcast`() throws
  {
    let folder = try ScratchFolder()
    let bus = try PrivateBus()
    let logind = try FakeLogind(on: bus)
    let subject = try HoldfastSubject(
      to: [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], options: [], in: folder)
    #expect(HoldfastSubject.wait { !subject.events("live").isEmpty }, "\(subject.said)")
    #expect(logind.waitForInhibitor())
    try logind.suspend()
    #expect(logind.waitFor("released"), "\(logind.events()) \(subject.said)")
    // The event was written before logind heard of it.
    #expect(subject.events("recording").last?["state"] as? String == "finished")
    #expect(subject.events("ended").first?["reason"] as? String == "background")
    #expect(logind.waitFor("asleep"))
    let first = try RecordingMarks(path: try #require(subject.recording))
    #expect(first.missingPictures <= subject.picturesNeverTaken)
    try logind.wake()
    #expect(HoldfastSubject.wait { subject.events("live").count == 2 }, "\(subject.said)")
    #expect(logind.waitForInhibitor(times: 2))
    subject.finish()
    #expect(folder.recordings.count == 2)
    #expect(Set(subject.events("live").compactMap { $0["broadcast"] as? String }).count == 2)
  }
}
