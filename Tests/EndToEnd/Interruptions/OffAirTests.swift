import Foundation
import TestSupport
import TestTraits
import Testing

/// Processes that are killed while the user has them off air, and started again.
@Suite(.realTime) struct OffAirTests {
  private let folder = ScratchFolder()

  /// A live broadcast after `command`, killed once that has led to `event`, and another process in its place, which
  /// leads to `second`.
  private func restarted(
    after command: String, _ event: String, comingBackAs second: String, window: String = "60s",
    killedAfter delay: UInt32 = 0, with options: [String] = []
  ) throws -> HoldfastSubject {
    let first = try HoldfastSubject(options: ["--resume-window", window], in: folder).whenLive()
    try first.ctl(command)
    #expect(first.reports(event), "\(first.log)")
    usleep(delay)
    first.kill()
    let subject = try first.restarted(with: options)
    #expect(subject.reports(second, times: 2), "\(subject.log)")
    return subject
  }

  @Test func `an interrupted broadcast comes back interrupted, and is resumed on request`() throws {
    let subject = try restarted(after: "interrupt", "interrupted", comingBackAs: "interrupted")
    #expect(subject.values("cause", of: "interrupted") == ["user", "user"])
    try subject.ctl("resume")
    #expect(subject.reports("resumed"), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 1 && subject.events("live").count == 1, "\(subject.log)")
    #expect(subject.log.contains("off air since") && subject.log.contains("holdfast ctl resume"))
  }

  @Test func `an interruption outlives further crashes`() throws {
    let second = try restarted(after: "interrupt", "interrupted", comingBackAs: "interrupted")
    second.kill()
    let third = try second.restarted()
    #expect(third.reports("interrupted", times: 3), "\(third.log)")
    #expect(third.events("resumed").isEmpty && third.events("live").count == 1)
    third.finish()
  }

  @Test func `once the window has closed it comes back in the background`() throws {
    let subject = try restarted(
      after: "interrupt", "interrupted", comingBackAs: "backgrounded", window: "1s", killedAfter: 1_200_000)
    try subject.ctl("resume")
    #expect(subject.reports("live", times: 2), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 2)
  }

  @Test func `a background comes back as one, and the foreground begins a new broadcast`() throws {
    let subject = try restarted(after: "background", "backgrounded", comingBackAs: "backgrounded")
    try subject.ctl("foreground")
    #expect(subject.reports("live", times: 2), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 2 && subject.log.contains("holdfast ctl foreground"), "\(subject.log)")
  }

  @Test(arguments: [("interrupt", "interrupted", "resume"), ("background", "backgrounded", "foreground")])
  func `an orderly reboot keeps off air who was off air`(command: String, event: String, back: String) throws
  {
    let bus = try PrivateBus()
    let logind = try FakeLogind(on: bus)
    let first = try HoldfastSubject(environment: bus.environment, in: folder).whenLive()
    #expect(logind.waitForInhibitor())
    try first.ctl(command)
    #expect(first.reports(event), "\(first.log)")
    try logind.setShutdown(true)
    #expect(logind.waitFor("down"))
    first.signal(SIGTERM)
    first.waitForEnd()
    #expect(first.status == 0 && first.values("state", of: "recording").last == "finished", "\(first.log)")
    let second = try first.restarted()
    #expect(second.reports(event, times: 2) && second.events("live").count == 1, "\(second.log)")
    try second.ctl(back)
    #expect(second.reports("live", times: 2), "\(second.log)")
    second.finish()
    #expect(second.log.contains("off air since") && folder.recordings.count == 2)
  }

  @Test func `a new broadcast begins if that is the policy, and the old one is told`() throws {
    let policy = ["--after-crash", "new"]
    let subject = try restarted(after: "interrupt", "interrupted", comingBackAs: "live", with: policy)
    subject.finish()
    #expect(subject.log.contains("a new broadcast begins"), "\(subject.log)")
  }

  @Test(arguments: ["interrupt", "background"])
  func `a clean end is the end of being off air`(command: String) throws {
    let first = try HoldfastSubject(in: folder).whenLive()
    try first.ctl(command)
    #expect(first.reports(command == "interrupt" ? "interrupted" : "backgrounded"), "\(first.log)")
    first.finish()
    let second = try first.restarted()
    #expect(second.reports("live", times: 2), "\(second.log)")
    second.finish()
  }

  @Test func `a gate that had not passed is asked again`() throws {
    // The gate outlives the kill, but not for long.
    let options = ["--gate", "while kill -0 $PPID; do sleep 0.1; done", "--gate-timeout", "1m"]
    let first = try HoldfastSubject(options: options, in: folder)
    #expect(first.reports("gate"), "\(first.log)")
    first.kill()
    let second = try first.restarted()
    #expect(second.reports("gate", times: 2), "\(second.log)")
    #expect(second.values("verdict", of: "gate") == ["asked", "asked"] && folder.recordings.isEmpty)
    second.finish()
  }
}
