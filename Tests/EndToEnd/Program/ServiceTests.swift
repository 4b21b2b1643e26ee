import Foundation
import TestSupport
import TestTraits
import Testing

/// What systemd hears of the program.
@Suite(.realTime) struct ServiceTests {
  @Test func `systemd is told when it is live, that it moves, also while interrupted, and that it stops`()
    throws
  {
    let folder = ScratchFolder()
    let manager = try NotifySocket()
    let environment = manager.environment.merging(["WATCHDOG_USEC": "1000000"]) { $1 }
    let subject = try HoldfastSubject(environment: environment, in: folder)
    #expect(try hears(manager, "READY=1"), "\(subject.said)")
    #expect(try hears(manager, "STATUS=live") && hears(manager, "WATCHDOG=1"))
    subject.signal(SIGUSR1)
    #expect(try hears(manager, "STATUS=interrupted (user)"))
    // Longer than a part may stand still that is expected to move.
    for _ in 0..<3 { #expect(try hears(manager, "WATCHDOG=1", unless: "STATUS=")) }
    subject.signal(SIGUSR2)
    #expect(try hears(manager, "STATUS=live") && hears(manager, "WATCHDOG=1"))
    subject.finish()
    #expect(try hears(manager, "STOPPING=1"))
  }

  /// Reads until `line` has come; false when `other` comes before it, or nothing.
  private func hears(_ manager: NotifySocket, _ line: String, unless other: String? = nil) throws -> Bool {
    while let lines = try manager.next() {
      if lines.contains(line) { return true }
      if let other, lines.contains(where: { $0.hasPrefix(other) }) { return false }
    }
    return false
  }
}
