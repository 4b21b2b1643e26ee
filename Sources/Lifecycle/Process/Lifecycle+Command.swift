extension Lifecycle {
  /// A command to the broadcast. The raw value is the word after `holdfast ctl` and the route's last part.
  package enum Command: String, Hashable, Sendable, CaseIterable {
    case start, interrupt, resume, background, foreground
    /// Returns to the preview; without one the same as `stop`.
    case end
    case stop
  }

  package enum CommandResult: Hashable, Sendable {
    /// The command is being carried out; the state is the one it led to.
    case accepted(State)
    case refused(Refusal, State)
    /// Not taken in time; the command has no effect.
    case timedOut
  }

  /// Why a command is refused; the raw value is what to do instead, for people.
  package enum Refusal: String, Hashable, Sendable {
    case isOver = "start holdfast again"
    case notInterrupted = "send interrupt first"
    case notInBackground = "send background first"
    case hasBegun = "end the broadcast before you start another"
    case isInBackground = "send foreground first"
    case noBroadcast = "send stop to end the program"
    case isInBackgroundAlready = "send foreground to return"
    case hasNotBegun = "wait until it is previewing or starting"
  }
}

extension Lifecycle.State {
  package func refusal(of command: Lifecycle.Command) -> Lifecycle.Refusal? {
    switch (command, self) {
    case (_, .ended), (_, .ending): .isOver
    // Backgrounded too: the resume window may have closed during a lasting interruption.
    case (.resume, .interrupted), (.resume, .backgrounded), (.foreground, .backgrounded): nil
    case (.resume, _): .notInterrupted
    case (.foreground, _): .notInBackground
    case (.start, .live), (.start, .starting), (.start, .interrupted): .hasBegun
    case (.interrupt, .backgrounded): .isInBackground
    case (.end, .previewing), (.end, .idle): .noBroadcast
    case (.background, .backgrounded): .isInBackgroundAlready
    case (.background, .idle): .hasNotBegun
    case (.start, _), (.interrupt, _), (.background, _), (.end, _), (.stop, _): nil
    }
  }

  package static let names = [
    "idle", "previewing", "starting", "live", "interrupted", "backgrounded", "ending", "ended",
  ]

  /// The name in status and responses, a stable interface.
  package var name: String {
    switch self {
    case .idle: "idle"
    case .previewing: "previewing"
    case .starting: "starting"
    case .live: "live"
    case .interrupted: "interrupted"
    case .backgrounded: "backgrounded"
    case .ending: "ending"
    case .ended: "ended"
    }
  }
}
