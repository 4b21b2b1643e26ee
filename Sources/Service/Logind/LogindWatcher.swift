package import HoldfastMediaModel
package import HoldfastPlatform

/// Tells what logind says: the machine is about to sleep, our session is locked or not in use.
///
/// It holds up a sleep until whoever is told of it has finished. Without a bus or logind it says so once, and goes on
/// looking for them.
package struct LogindWatcher: Sendable {
  package struct Settings: Hashable, Sendable {
    /// Of the bus, as D-Bus writes it.
    package var busAddress: String
    /// The session to watch; `auto` is the one that this process belongs to, else its user's, else the one that is
    /// active at the first seat. Nil: none.
    package var session: String?
    /// How long to wait for the bus and for logind to answer.
    package var patience = MediaTime.seconds(5)
    /// How long to wait before another try.
    package var pause = MediaTime.seconds(10)

    package init(environment: [String: String], watchesSession: Bool = false) {
      busAddress = SystemBus.address(environment: environment)
      session = watchesSession ? environment["XDG_SESSION_ID"] ?? "auto" : nil
    }
  }

  private let settings: Settings

  package init(_ settings: Settings) {
    self.settings = settings
  }

  /// Calls `onEvent` for each event, until `stop` is signalled; for a thread of its own.
  package func watch(until stop: Wakeup, onEvent: (LogindEvent) -> Void) {
    var state = LogindState()
    while !stop.isSignalled {
      do {
        let conversation = try LogindConversation(settings, state)
        defer { state = conversation.state }
        try follow(conversation, until: stop, onEvent)
      } catch {
        let note = "no news of sleep and session, the system bus: \(error)"
        // Said once, to whoever it matters to most.
        let subject = settings.session == nil ? LogindState.Subject.bus : .session
        state.complain(subject, note).forEach(onEvent)
      }
      if stop.wait(until: .now + settings.pause) { return }
    }
  }

  private func follow(
    _ conversation: LogindConversation, until stop: Wakeup, _ onEvent: (LogindEvent) -> Void
  ) throws {
    while !stop.isSignalled {
      try conversation.wait(until: stop)
      defer { conversation.takeEvents().forEach(onEvent) }
      try conversation.process()
    }
  }
}
