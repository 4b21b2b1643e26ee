import HoldfastPlatform

/// The meaning of SIGHUP: the terminal has gone, or the configuration has changed.
struct HangUpPolicy: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case reload, stop, ignore
    /// A reload was requested, but there is no file.
    case nothingToReload
  }

  var hasFile: Bool
  var hadTerminal: Bool
  /// SIGHUP was ignored at the start (`nohup`).
  var wasIgnored: Bool

  func action(hasTerminal: Bool) -> Action {
    if hadTerminal, !hasTerminal { return wasIgnored ? .ignore : .stop }
    if hasFile { return .reload }
    if wasIgnored { return .ignore }
    // The default effect of the signal.
    return hadTerminal ? .stop : .nothingToReload
  }
}

extension HangUpPolicy {
  init(hasFile: Bool) {
    self.init(
      hasFile: hasFile, hadTerminal: hasControllingTerminal(), wasIgnored: isIgnored(signal: Signals.hangUp))
  }
}
