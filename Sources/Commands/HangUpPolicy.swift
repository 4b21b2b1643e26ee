import HoldfastPlatform

/// The meaning of SIGHUP: the terminal has gone, or the configuration has changed.
package struct HangUpPolicy: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case reload, stop, ignore
    /// A reload was requested, but there is no file.
    case nothingToReload
  }

  package var hasFile: Bool
  package var hadTerminal: Bool
  /// SIGHUP was ignored at the start (`nohup`).
  package var wasIgnored: Bool

  package func action(hasTerminal: Bool) -> Action {
    if hadTerminal, !hasTerminal { return wasIgnored ? .ignore : .stop }
    if hasFile { return .reload }
    if wasIgnored { return .ignore }
    // The default effect of the signal.
    return hadTerminal ? .stop : .nothingToReload
  }
}

extension HangUpPolicy {
  package init(hasFile: Bool) {
    self.init(
      hasFile: hasFile, hadTerminal: hasControllingTerminal(), wasIgnored: isIgnored(signal: Signals.hangUp))
  }
}
