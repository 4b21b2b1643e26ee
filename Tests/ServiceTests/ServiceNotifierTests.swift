import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastService

@Suite struct ServiceNotifierTests {
  @Test(arguments: NotifySocket.Kind.allCases)
  func `several notifications reach systemd's socket in one message`(kind: NotifySocket.Kind) throws {
    let manager = try NotifySocket(kind)
    let notifier = ServiceNotifier(environment: manager.environment)
    try notifier.notify(.ready, .status("live"))
    #expect(try manager.next(until: generousDeadline) == ["READY=1", "STATUS=live"])
  }

  @Test(
    arguments: [
      (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
      (.reloading(since: MonotonicTime(nanoseconds: 1_234_567_890)), "RELOADING=1\nMONOTONIC_USEC=1234567"),
      (.status("two\nREADY=1\r\nlines"), "STATUS=two READY=1 lines"),
    ] as [(ServiceNotification, String)])
  func `each notification to systemd has its line`(news: ServiceNotification, line: String) {
    #expect(news.line == line)
  }

  @Test func `a notifier without a socket is not connected and does nothing`() throws {
    let notifier = ServiceNotifier(environment: [:])
    #expect(!notifier.isConnected)
    try notifier.notify(.ready)
  }

  @Test(arguments: ["", "/", "@", "notify", "vsock:2:1", "/" + String(repeating: "a", count: 107), "/a\0b"])
  func `an invalid NOTIFY_SOCKET counts as unset`(name: String) {
    #expect(!ServiceNotifier(environment: ["NOTIFY_SOCKET": name]).isConnected)
  }

  @Test func `notifying a manager that has gone is an error`() throws {
    let environment = try NotifySocket().environment
    let notifier = ServiceNotifier(environment: environment)
    #expect(throws: SystemError.self) { try notifier.notify(.ready) }
  }

  @Test func `notifying a manager that takes nothing fails at the deadline`() throws {
    let manager = try NotifySocket()
    let notifier = ServiceNotifier(environment: manager.environment)
    let full = #expect(throws: SystemError.self) {
      // More than any queue takes.
      for _ in 0..<100_000 { try notifier.notify([.alive], until: .now + .milliseconds(20)) }
    }
    #expect(full?.code == EAGAIN)
  }
}
