/// What a running broadcast can be told to do.
package enum ControlCommand: String, Hashable, Sendable, CaseIterable {
  case start, interrupt, resume, background, foreground, end, stop
}

/// What became of a command.
package enum ControlVerdict: Hashable, Sendable {
  /// It is being carried out; `state` is the broadcast's from now on.
  case accepted(state: String)
  /// It means nothing in this state.
  case notPossible(state: String, hint: String?)
  /// Nobody took it in time.
  case notTaken
}
