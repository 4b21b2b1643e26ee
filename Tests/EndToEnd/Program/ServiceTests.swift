import Foundation
import TestSupport
import TestTraits
import Testing

/// Notifications to systemd.
@Suite(.realTime) struct ServiceTests {
  @Test func `systemd is notified of the states and of progress, also while interrupted`() throws {
    let folder = ScratchFolder()
    let manager = try NotifySocket()
    let environment = manager.environment.merging(["WATCHDOG_USEC": "1000000"]) { $1 }
    let subject = try HoldfastSubject(environment: environment, in: folder)
    #expect(try hears(manager, "READY=1"), "\(subject.log)")
    #expect(try hears(manager, "STATUS=live") && hears(manager, "WATCHDOG=1"))
    subject.signal(SIGUSR1)
    #expect(try hears(manager, "STATUS=interrupted (user)"))
    // Longer than the time limit for progress.
    for _ in 0..<3 { #expect(try hears(manager, "WATCHDOG=1", unless: "STATUS=")) }
    subject.signal(SIGUSR2)
    #expect(try hears(manager, "STATUS=live") && hears(manager, "WATCHDOG=1"))
    subject.finish()
    #expect(try hears(manager, "STOPPING=1"))
  }

  /// Reads until `line`; false if a line starting with `other` arrives first, or on timeout.
  private func hears(_ manager: NotifySocket, _ line: String, unless other: String? = nil) throws -> Bool {
    while let lines = try manager.next() {
      if lines.contains(line) { return true }
      if let other, lines.contains(where: { $0.hasPrefix(other) }) { return false }
    }
    return false
  }
}
