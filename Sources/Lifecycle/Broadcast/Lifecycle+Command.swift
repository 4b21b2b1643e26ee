extension Lifecycle {
  /// What somebody can tell it to do. The raw value is the word after `holdfast ctl` and the last part of the route.
  package enum Command: String, Hashable, Sendable, CaseIterable {
    case start, interrupt, resume, background, foreground
    /// Back to the preview, where there was one, else like a stop.
    case end
    case stop

    /// What somebody has to be allowed who gives it.
    package var needs: Capability {
      switch self {
      case .interrupt, .resume: .interrupt
      case .start, .background, .foreground, .end, .stop: .end
      }
    }
  }

  package enum CommandResult: Hashable, Sendable {
    /// It is being carried out; the state is the one that it has led to.
    case accepted(State)
    case refused(Refusal, State)
    /// Not taken in time, so nothing is done.
    case timedOut
  }

  /// Why a command is not allowed; the raw value says it to people.
  package enum Refusal: String, Hashable, Sendable {
    case isOver = "it is over; start holdfast again"
    case notInterrupted = "it is not interrupted"
    case notInBackground = "it is not in the background"
    case hasBegun = "it has begun already"
    case isInBackground = "it is in the background"
    case noBroadcast = "there is no broadcast; ctl stop ends the program"
    case isThereAlready = "it is there already"
    case nothingRuns = "nothing runs yet"
  }
}

extension Lifecycle.State {
  /// Why `command` is not allowed in this state; nil where it is.
  package func refusal(of command: Lifecycle.Command) -> Lifecycle.Refusal? {
    switch (command, self) {
    case (_, .ended), (_, .ending): .isOver
    // In the background, too: the window may have closed over an interruption that lasts.
    case (.resume, .interrupted), (.resume, .backgrounded), (.foreground, .backgrounded): nil
    case (.resume, _): .notInterrupted
    case (.foreground, _): .notInBackground
    case (.start, .live), (.start, .starting), (.start, .interrupted): .hasBegun
    case (.interrupt, .backgrounded): .isInBackground
    case (.end, .previewing), (.end, .idle): .noBroadcast
    case (.background, .backgrounded): .isThereAlready
    case (.background, .idle): .nothingRuns
    case (.start, _), (.interrupt, _), (.background, _), (.end, _), (.stop, _): nil
    }
  }

  /// All of them, as `name` writes them.
  package static let names = [
    "idle", "previewing", "starting", "live", "interrupted", "backgrounded", "ending", "ended",
  ]

  /// As status and answers write it, a stable interface.
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
