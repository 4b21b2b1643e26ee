import HoldfastBroadcasting
import HoldfastCommands

/// The effect of a reloaded configuration on a running program.
struct ConfigurationChange: Sendable, CustomStringConvertible {
  /// When a change takes effect, as it is told.
  private enum Effect: String, CaseIterable {
    case atOnce = "in effect now"
    case withNextBroadcast = "takes effect with the next broadcast"
    case withNextOpening = "takes effect when the devices are reopened (ctl background, ctl foreground)"
    case withNextStart = "takes effect after a restart of the program"
  }

  /// The new settings; those that can't change during a broadcast keep their values.
  let accepted: ProgramSettings
  private let changed: [(key: String, effect: Effect)]

  /// `running` is the configuration of the current broadcast, if there is one.
  init(from old: ProgramSettings, to new: ProgramSettings, running: Configuration?) {
    var accepted = new
    accepted.broadcast = new.broadcast.replacing(old.broadcast)
    accepted.events = old.events
    accepted.interruptOn = old.interruptOn
    accepted.membership = old.membership
    self.accepted = accepted
    let keepsDevices = old.broadcast.session.preview
    let broadcast = Configuration.Setting.allCases.map {
      (key: $0.rawValue, effect: Self.effect(of: $0, running, keepsDevices: keepsDevices))
    }
    // The open file, the control socket and the watched session depend on these.
    let program = ProgramSettings.Setting.allCases.map { (key: $0.rawValue, effect: Effect.withNextStart) }
    changed = (broadcast + program).filter { Options.option(key: $0.key)?.differs(old, new) == true }
  }

  /// `keepsDevices`: a preview keeps them open between broadcasts, too.
  private static func effect(
    of setting: Configuration.Setting, _ running: Configuration?, keepsDevices: Bool
  ) -> Effect {
    switch setting {
    case .bitrate, .minBitrate: running?.mayChangeBitrate == true ? .atOnce : .withNextBroadcast
    case .resumeWindow, .layout, .spotlight: .atOnce
    case .video, .audio, .size, .fps, .encoder, .loop, .tile, .fill, .transition:
      keepsDevices ? .withNextOpening : .withNextBroadcast
    case _ where Configuration.fixedSettings.contains(setting): .withNextStart
    default: .withNextBroadcast
    }
  }

  /// `configuration reloaded; in effect now: bitrate; takes effect with the next broadcast: size, fps`
  var description: String {
    guard !changed.isEmpty else { return "configuration reloaded: no changes" }
    let parts = Effect.allCases.compactMap { effect -> String? in
      let names = changed.filter { $0.effect == effect }.map(\.key)
      return names.isEmpty ? nil : "\(effect.rawValue): \(names.joined(separator: ", "))"
    }
    return (["configuration reloaded"] + parts).joined(separator: "; ")
  }
}
