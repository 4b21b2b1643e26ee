package import HoldfastMediaModel
package import HoldfastPlatform

/// Reports logind's events: sleep, shutdown, and a locked or inactive session. A sleep and a shutdown are delayed until
/// the hold is released. A missing bus or logind is noted once, and retried.
package struct LogindWatcher: Sendable {
  package struct Settings: Hashable, Sendable {
    package var busAddress: String
    /// The session to watch; `auto` is this process's session, else its user's, else the seat's active one.
    package var session: String?
    /// Timeout for replies of the bus and logind.
    package var timeout = MediaTime.seconds(5)
    /// Delay before another attempt.
    package var pause = MediaTime.seconds(10)

    package init(environment: [String: String], watchesSession: Bool = false) {
      busAddress = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
      session = watchesSession ? environment["XDG_SESSION_ID"] ?? "auto" : nil
    }
  }

  private let settings: Settings

  package init(_ settings: Settings) { self.settings = settings }

  /// Calls `onEvent` for each event until `stop` is signalled. Blocks; needs a thread of its own.
  package func watch(until stop: Wakeup, onEvent: (LogindEvent) -> Void) {
    var state = LogindState()
    while !stop.isSignalled {
      do {
        let conversation = try LogindConversation(settings, state)
        defer { state = conversation.state }
        while !stop.isSignalled {
          try conversation.wait(until: stop)
          defer { conversation.takeEvents().forEach(onEvent) }
          try conversation.process()
        }
      } catch {
        let note = "can't monitor sleep and session, system bus: \(error)"
        let subject = settings.session == nil ? LogindState.Subject.bus : .session
        state.noteFailure(subject, note).forEach(onEvent)
      }
      if stop.wait(until: .now + settings.pause) { return }
    }
  }
}
