import Foundation
import TestSupport
import TestTraits
import Testing

/// The session at the screen is locked, or left for another one, under a broadcast that is to be interrupted then.
@Suite(.realTime) struct SessionTests {
  private let folder = ScratchFolder()
  private let bus: PrivateBus
  private let logind: FakeLogind

  init() throws {
    bus = try PrivateBus()
    logind = try FakeLogind(on: bus)
  }

  private func start(on states: String, _ environment: [String: String] = [:]) throws -> HoldfastSubject {
    try HoldfastSubject(
      environment: environment.merging(bus.environment) { $1 },
      options: ["--interrupt-on", states], in: folder)
  }

  @Test func `a lock interrupts, and its end resumes the same broadcast`() throws {
    let subject = try start(on: "lock")
    #expect(subject.reports("live"), "\(subject.said)")
    try logind.lock()
    #expect(subject.reports("interrupted"), "\(subject.said)")
    #expect(subject.values("cause", of: "interrupted").first == "system")
    try logind.unlock()
    #expect(subject.reports("resumed"), "\(subject.said)")
    subject.finish()
    #expect(subject.values("cause", of: "gap") == ["system"])
    #expect(subject.events("live").count == 1 && folder.recordings.count == 1)
  }

  @Test func `of a lock and another session's turn the last one's end resumes`() throws {
    let subject = try start(on: "lock,inactive")
    #expect(subject.reports("live"), "\(subject.said)")
    try logind.setLockedHint(true)
    try logind.setActive(false)
    #expect(subject.reports("interrupted"), "\(subject.said)")
    try logind.setLockedHint(false)
    // What logind says comes in its order: an end that counted would have resumed before the next interruption.
    try logind.setLockedHint(true)
    try logind.setActive(true)
    try logind.setLockedHint(false)
    #expect(subject.reports("resumed"), "\(subject.said)")
    subject.finish()
    #expect(subject.events("interrupted").count == 1 && subject.events("resumed").count == 1)
  }

  @Test func `what is not asked for does not interrupt`() throws {
    let subject = try start(on: "inactive")
    #expect(subject.reports("live"), "\(subject.said)")
    try logind.lock()
    try logind.setActive(false)
    #expect(subject.reports("interrupted"), "\(subject.said)")
    try logind.setActive(true)
    #expect(subject.reports("resumed"), "\(subject.said)")
    subject.finish()
  }

  @Test func `a session that is locked already interrupts from the start, and a service has started`() throws
  {
    let manager = try NotifySocket()
    try logind.setLockedHint(true)
    let subject = try start(on: "lock", manager.environment)
    #expect(subject.reports("interrupted"), "\(subject.said)")
    #expect(subject.events("starting").isEmpty)
    #expect(try manager.hears("READY=1") && manager.hears("STATUS=interrupted (system)"))
    try logind.setLockedHint(false)
    #expect(subject.reports("live"), "\(subject.said)")
    subject.finish()
    #expect(subject.values("publishType", of: "live").first == "record")
  }

  @Test func `without a session it says so once, and broadcasts`() throws {
    try logind.setPresent(false)
    let subject = try start(on: "lock")
    #expect(subject.reports("live"), "\(subject.said)")
    subject.finish()
    let notes =
      subject.said.components(separatedBy: "no session to watch, logind: Nobody is at seat0; ").count - 1
    #expect(notes == 1, "\(subject.said)")
  }

  @Test func `without a bus it says so once, and broadcasts`() throws {
    bus.kill()
    let subject = try start(on: "lock")
    #expect(subject.reports("live"), "\(subject.said)")
    subject.finish()
    let notes =
      subject.said.components(separatedBy: "no news of sleep and session, the system bus: ").count - 1
    #expect(notes == 1, "\(subject.said)")
  }
}
