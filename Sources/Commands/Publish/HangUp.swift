import HoldfastPlatform

/// The meaning of SIGHUP: the terminal has gone, or the configuration has changed.
struct HangUp: Hashable, Sendable {
  enum Meaning: Hashable, Sendable {
    case readAgain, end, nothing
    /// A reload was requested, but there is no file.
    case nothingToRead
  }

  var hasFile: Bool
  var hadTerminal: Bool
  /// SIGHUP was ignored at the start (`nohup`).
  var wasIgnored: Bool

  func meaning(hasTerminal: Bool) -> Meaning {
    if hadTerminal, !hasTerminal { return wasIgnored ? .nothing : .end }
    if hasFile { return .readAgain }
    if wasIgnored { return .nothing }
    // The default effect of the signal.
    return hadTerminal ? .end : .nothingToRead
  }
}

extension HangUp {
  init(hasFile: Bool) {
    self.init(
      hasFile: hasFile, hadTerminal: hasControllingTerminal(), wasIgnored: isIgnored(signal: Signals.hangUp))
  }
}
