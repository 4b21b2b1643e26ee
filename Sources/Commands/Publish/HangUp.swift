internal import HoldfastPlatform

/// What SIGHUP means to this process: its terminal has gone, or the configuration has changed.
struct HangUp: Hashable, Sendable {
  enum Meaning: Hashable, Sendable {
    case readAgain, end, nothing
    /// Somebody wants it to be read again, but there is no file.
    case nothingToRead
  }

  var hasFile: Bool
  /// It was started from a terminal.
  var hadTerminal: Bool
  /// It was started so that no hang-up ends it (`nohup`).
  var wasIgnored: Bool

  func meaning(hasTerminal: Bool) -> Meaning {
    if hadTerminal, !hasTerminal { return wasIgnored ? .nothing : .end }
    if hasFile { return .readAgain }
    if wasIgnored { return .nothing }
    // That is what it does to a program that knows nothing better.
    return hadTerminal ? .end : .nothingToRead
  }
}

extension HangUp {
  init(hasFile: Bool) {
    self.init(
      hasFile: hasFile, hadTerminal: hasControllingTerminal(), wasIgnored: isIgnored(signal: Signals.hangUp))
  }
}
