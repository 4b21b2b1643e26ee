import HoldfastMediaModel
import HoldfastPlatform
import HoldfastService
import TestSupport

/// A watcher on its thread, and what it has reported.
final class LogindListener: Sendable {
  private final class Heard: Sendable {
    let names = Locked<[String]>([])
    let holds = Locked<[RestHold]>([])
    let news: Wakeup
    let hearsKnown: Bool

    init(hearsKnown: Bool) throws {
      self.hearsKnown = hearsKnown
      news = try Wakeup()
    }

    func hear(_ event: LogindEvent) {
      if case .sessionIsKnown = event, !hearsKnown { return }
      if case .sleepIsNear(let hold) = event { holds.withLock { $0.append(hold) } }
      if case .shutdownIsNear(let hold) = event { holds.withLock { $0.append(hold) } }
      names.withLock { $0.append(name(event)) }
      news.signal()
    }
  }

  private let heard: Heard
  private let thread: StoppableThread

  /// With `hearsKnown` it also reports that the session is known.
  init(
    _ bus: PrivateBus, session: String? = nil, timeout: MediaTime = .seconds(60),
    pause: MediaTime = .milliseconds(50), hearsKnown: Bool = false
  ) throws {
    var settings = LogindWatcher.Settings(environment: bus.environment)
    settings.session = session
    settings.timeout = timeout
    settings.pause = pause
    let heard = try Heard(hearsKnown: hearsKnown)
    self.heard = heard
    let watcher = LogindWatcher(settings)
    thread = try StoppableThread(name: "logind") { stop in watcher.watch(until: stop) { heard.hear($0) } }
  }

  deinit { end() }

  /// Returns when its thread has ended.
  func end() { thread.stop() }

  /// All that it has reported, in order.
  var names: [String] { heard.names.withLock { $0 } }

  /// Waits for `count` events and returns them; fewer when no more come.
  func first(_ count: Int) -> [String] {
    let deadline = MonotonicTime.now + .seconds(60)
    while names.count < count, MonotonicTime.now < deadline {
      heard.news.wait(until: deadline)
      heard.news.clear()
    }
    return Array(names.prefix(count))
  }

  /// The hold of the next sleep or shutdown, which nobody but the caller has from then on.
  func takeHold() -> RestHold? { heard.holds.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// `awake`, `note: …`.
func name(_ event: LogindEvent) -> String {
  switch event {
  case .sleepIsNear: "sleepIsNear"
  case .shutdownIsNear: "shutdownIsNear"
  case .awake, .shutdownIsCancelled, .sessionLocked, .sessionUnlocked, .sessionInactive, .sessionActive,
    .sessionIsKnown:
    "\(event)"
  case .sessionIsUnknown(let reason): "unknown: " + reason
  case .note(let text): "note: " + text
  }
}
