import Foundation

/// The sleep and session interfaces of systemd-logind on a private bus. It cannot be restarted.
package final class FakeLogind: Peer {
  private let bus: PrivateBus
  private let folder = ScratchFolder()
  package let process: PeerProcess

  /// `delay` is the longest wait for inhibitors before sleep, in seconds.
  package init(on bus: PrivateBus, delay: Double = testTimeout) throws {
    process = try PeerProcess(
      ["/usr/bin/python3", peerProgram("fake-logind"), bus.address, "--delay", "\(delay)"],
      output: folder.file("events.log"), errors: folder.file("errors.log")
    ) { lines(ofFile: $0.output).contains("ready") }
    self.bus = bus
  }

  /// The events in order: `inhibited Holdfast sleep:shutdown delay`, `released`, `sleep is near`, `asleep`,
  /// `awake`, `shutdown is near`, `down`, `shutdown is cancelled`.
  package func events() -> [String] { lines(ofFile: process.output) }

  package func waitFor(_ event: String, times: Int = 1) -> Bool {
    eventually { process.hasEnded || events().filter { $0 == event }.count >= times } && !process.hasEnded
  }

  package func waitForInhibitor(times: Int = 1) -> Bool {
    waitFor("inhibited Holdfast sleep:shutdown delay", times: times)
  }

  package func suspend() throws { try call("org.freedesktop.login1.Manager.Suspend", "boolean:false") }
  package func wake() throws { try call("holdfast.test.Logind.Wake") }
  /// Announces a shutdown, or cancels it.
  package func setShutdown(_ isNear: Bool) throws { try set("Shutdown", isNear) }
  package func lock() throws { try call("org.freedesktop.login1.Manager.LockSession", "string:c1") }
  package func unlock() throws { try call("org.freedesktop.login1.Manager.UnlockSession", "string:c1") }
  package func setActive(_ isActive: Bool) throws { try set("Active", isActive) }
  /// With false, the caller belongs to no session, as a service does.
  package func setOwned(_ isOwned: Bool) throws { try set("Owned", isOwned) }
  package func setPresent(_ isPresent: Bool) throws { try set("Present", isPresent) }
  package func setLockedHint(_ isLocked: Bool) throws {
    try call(
      "org.freedesktop.login1.Session.SetLockedHint", "boolean:\(isLocked)",
      path: "/org/freedesktop/login1/session/c1")
  }

  private func set(_ name: String, _ flag: Bool) throws {
    try call("holdfast.test.Logind.Set" + name, "boolean:\(flag)")
  }

  private func call(_ method: String, _ arguments: String..., path: String = "/org/freedesktop/login1") throws
  {
    try Tool.run(
      ["dbus-send", "--bus=" + bus.address, "--print-reply", "--dest=org.freedesktop.login1", path, method]
        + arguments)
  }
}
