import Foundation
import TestSupport
import TestTraits
import Testing

/// Broadcasts interrupted while the desktop session is locked or inactive.
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

  @Test func `locking the session interrupts, and unlocking resumes the same broadcast`() throws {
    let subject = try start(on: "lock").whenLive()
    try logind.lock()
    #expect(subject.reports("interrupted"), "\(subject.log)")
    #expect(subject.values("cause", of: "interrupted").first == "system")
    try logind.unlock()
    #expect(subject.reports("resumed"), "\(subject.log)")
    subject.finish()
    #expect(subject.values("cause", of: "gap") == ["system"])
    #expect(subject.events("live").count == 1 && folder.recordings.count == 1)
  }

  @Test func `an interruption with two reasons ends with the last of them`() throws {
    let subject = try start(on: "lock,inactive").whenLive()
    try logind.setLockedHint(true)
    try logind.setActive(false)
    #expect(subject.reports("interrupted"), "\(subject.log)")
    try logind.setLockedHint(false)
    // Signals arrive in order: a premature resumption would come before the next interruption.
    try logind.setLockedHint(true)
    try logind.setActive(true)
    try logind.setLockedHint(false)
    #expect(subject.reports("resumed"), "\(subject.log)")
    subject.finish()
    #expect(subject.events("interrupted").count == 1 && subject.events("resumed").count == 1)
  }

  @Test func `only the selected session states interrupt`() throws {
    let subject = try start(on: "inactive").whenLive()
    try logind.lock()
    try logind.setActive(false)
    #expect(subject.reports("interrupted"), "\(subject.log)")
    try logind.setActive(true)
    #expect(subject.reports("resumed"), "\(subject.log)")
    subject.finish()
  }

  @Test func `a session locked at the start interrupts, and the service counts as started`() throws {
    let manager = try NotifySocket()
    try logind.setLockedHint(true)
    let subject = try start(on: "lock", manager.environment)
    #expect(subject.reports("interrupted") && subject.events("starting").isEmpty, "\(subject.log)")
    #expect(try manager.hears("READY=1") && manager.hears("STATUS=interrupted (system)"))
    try logind.setLockedHint(false)
    #expect(subject.reports("live"), "\(subject.log)")
    subject.finish()
    #expect(subject.values("publishType", of: "live").first == "record")
  }

  @Test(arguments: [
    (true, "no session to monitor, logind: No user at seat0; "),
    (false, "can't monitor sleep and session, system bus: "),
  ])
  func `a missing session or bus is reported once and the broadcast runs`(hasBus: Bool, note: String) throws {
    if hasBus { try logind.setPresent(false) } else { bus.kill() }
    let subject = try start(on: "lock").whenLive()
    subject.finish()
    #expect(subject.log.components(separatedBy: note).count == 2, "\(subject.log)")
  }
}
