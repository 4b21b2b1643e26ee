import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastService

@Suite(.realTime) struct ServiceWatchdogTests {
  /// A watchdog on its thread, and the manager that it feeds.
  private final class Scene: Sendable {
    let manager: NotifySocket
    let watchdog: ServiceWatchdog
    let notes = Locked<[String]>([])
    private let thread: StoppableThread

    init(interval: MediaTime, limit: MediaTime, expecting parts: [ProgressWatch.Part]) throws {
      let manager = try NotifySocket()
      let watchdog = ServiceWatchdog(
        interval: interval, limit: limit, notifier: ServiceNotifier(environment: manager.environment))
      self.manager = manager
      self.watchdog = watchdog
      parts.forEach(watchdog.expect)
      thread = try StoppableThread(name: "watchdog") { [notes] stop in
        watchdog.run(until: stop) { note in notes.withLock { $0.append(note) } }
      }
    }

    deinit { thread.stop() }

    /// The first message that does not feed the watchdog.
    func status() throws -> [String]? {
      while let message = try manager.next(until: generousDeadline) {
        if message != ["WATCHDOG=1"] { return message }
      }
      return nil
    }
  }

  @Test func `the watchdog is fed at half its interval while all parts move`() throws {
    let start = MonotonicTime.now
    let scene = try Scene(interval: .milliseconds(100), limit: .seconds(3600), expecting: [.main])
    let messages = try (0..<5).map { _ in try scene.manager.next(until: generousDeadline) }
    #expect(messages == Array(repeating: ["WATCHDOG=1"], count: 5))
    #expect(MonotonicTime.now - start >= .milliseconds(200))
  }

  @Test func `a stalled part is reported, and the watchdog is no longer fed`() throws {
    let scene = try Scene(interval: .milliseconds(40), limit: .milliseconds(20), expecting: [.encoder])
    let status = try #require(try scene.status()?.first)
    #expect(status.hasPrefix("STATUS=not feeding the watchdog: the encoder has made no progress for "))
    #expect(try scene.manager.next(until: .now + .milliseconds(200)) == nil)
    #expect(scene.notes.withLock { $0.map { "STATUS=" + $0 } } == [status])
  }

  @Test func `the watchdog is fed again when the stalled part has moved`() throws {
    let scene = try Scene(interval: .milliseconds(200), limit: .milliseconds(100), expecting: [.encoder])
    _ = try scene.status()
    let deadline = generousDeadline
    var message: [String]?
    // A machine that is busy may look for movement only when it is old again.
    while message == nil, MonotonicTime.now < deadline {
      scene.watchdog.report(.encoder)
      message = try scene.manager.next(until: .now + .milliseconds(5))
    }
    #expect(message == ["WATCHDOG=1"])
  }

  @Test func `the watchdog is fed while the only expected part rests`() throws {
    let scene = try Scene(interval: .milliseconds(40), limit: .milliseconds(20), expecting: [.encoder])
    _ = try scene.status()
    scene.watchdog.unexpect(.encoder)
    #expect(try scene.manager.next(until: generousDeadline) == ["WATCHDOG=1"])
  }

  @Test func `the watchdog's thread ends at once if systemd expects no sign of life`() throws {
    let watchdog = ServiceWatchdog(environment: [:], notifier: ServiceNotifier(environment: [:]))
    let stop = try Wakeup()
    watchdog.run(until: stop) { _ in Issue.record("a note of nothing") }
    #expect(!stop.isSignalled)
  }

  @Test(
    arguments: [
      ([:], nil), (["WATCHDOG_USEC": "3000000"], 3000),
      (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "17"], 3000),
      (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "18"], nil),
      (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "x"], nil),
      (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-3"], nil), (["WATCHDOG_USEC": "3s"], nil),
      (["WATCHDOG_USEC": "9223372036854775807"], nil), (["WATCHDOG_USEC": "99999999999999999999"], nil),
    ] as [([String: String], Int64?)])
  func `the watchdog's interval is read from the environment if meant for this process`(
    environment: [String: String], milliseconds: Int64?
  ) {
    let interval = ServiceWatchdog.interval(environment, process: 17)
    #expect(interval == milliseconds.map(MediaTime.milliseconds))
  }
}
