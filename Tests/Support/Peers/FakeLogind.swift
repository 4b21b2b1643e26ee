internal import Foundation
internal import Glibc

/// The part of systemd-logind that tells of sleep and of the session, on a private bus.
package final class FakeLogind: Sendable {
  private let bus: PrivateBus
  private let folder: ScratchFolder
  private let process: PeerProcess

  /// `delay` is for how many seconds it waits for inhibitors before the machine sleeps.
  package init(on bus: PrivateBus, delay: Double = HoldfastProcess.patience) throws {
    let folder = try ScratchFolder()
    process = try PeerProcess(
      ["/usr/bin/python3", Peers.script("fake-logind"), bus.address, "--delay", "\(delay)"],
      output: folder.file("events.log"), errors: folder.file("errors.log"))
    self.bus = bus
    self.folder = folder
    guard waitFor("ready") else { throw Peers.NotReady(description: process.said) }
  }

  /// What happened, in its order: `inhibited Holdfast sleep delay`, `released`, `sleep is near`, `asleep`, `awake`.
  package func events() -> [String] {
    let text = try? String(contentsOfFile: process.output, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Waits until `event` has happened so often; false when that doesn't come.
  package func waitFor(_ event: String, times: Int = 1) -> Bool {
    Peers.wait { process.hasEnded || events().filter { $0 == event }.count >= times } && !process.hasEnded
  }

  /// Waits until it is told to delay a sleep.
  package func waitForInhibitor(times: Int = 1) -> Bool {
    waitFor("inhibited Holdfast sleep delay", times: times)
  }

  package func suspend() throws { try call("org.freedesktop.login1.Manager.Suspend", "boolean:false") }
  package func wake() throws { try call("holdfast.test.Logind.Wake") }
  package func lock() throws { try call("org.freedesktop.login1.Manager.LockSession", "string:c1") }
  package func unlock() throws { try call("org.freedesktop.login1.Manager.UnlockSession", "string:c1") }
  package func setActive(_ isActive: Bool) throws {
    try call("holdfast.test.Logind.SetActive", "boolean:\(isActive)")
  }
  /// False: nobody who asks belongs to its session, as a service doesn't.
  package func setOwned(_ isOwned: Bool) throws {
    try call("holdfast.test.Logind.SetOwned", "boolean:\(isOwned)")
  }
  /// The session ends, or begins anew.
  package func setPresent(_ isPresent: Bool) throws {
    try call("holdfast.test.Logind.SetPresent", "boolean:\(isPresent)")
  }
  package func setLockedHint(_ isLocked: Bool) throws {
    try call(
      "org.freedesktop.login1.Session.SetLockedHint", "boolean:\(isLocked)",
      path: "/org/freedesktop/login1/session/c1")
  }

  private func call(_ method: String, _ arguments: String..., path: String = "/org/freedesktop/login1") throws
  {
    try Tool.run(
      ["dbus-send", "--bus=" + bus.address, "--print-reply", "--dest=org.freedesktop.login1", path, method]
        + arguments)
  }

  package func freeze() { process.signal(SIGSTOP) }
  package func thaw() { process.signal(SIGCONT) }

  /// It can't be started again: make another one.
  package func kill() { process.stop() }
}
