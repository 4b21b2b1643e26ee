internal import HoldfastBroadcasting

/// What a configuration that was read again changes in a program that runs.
struct ConfigurationChange: Sendable {
  private enum Effect {
    case atOnce, withNextBroadcast, withNextOpening, withNextStart
  }

  /// The new one, but with what can't change any more as it was.
  let accepted: Configuration
  private let changed: [(setting: Configuration.Setting, effect: Effect)]

  /// `running` is what the broadcast was told that there is now, if there is one.
  init(from old: Configuration, to new: Configuration, running: Configuration?) {
    var accepted = new
    accepted.name = old.name
    accepted.events = old.events
    accepted.interruptOn = old.interruptOn
    accepted.preview = old.preview
    accepted.afterCrash = old.afterCrash
    self.accepted = accepted
    changed = Configuration.Setting.allCases.compactMap { setting in
      guard Options.option(key: setting.rawValue)?.differs(old, new) == true else { return nil }
      return (setting, Self.effect(of: setting, running, keepsDevices: old.preview))
    }
  }

  /// A preview that `keepsDevices` has them open between its broadcasts, too.
  private static func effect(
    of setting: Configuration.Setting, _ running: Configuration?, keepsDevices: Bool
  ) -> Effect {
    switch setting {
    case .bitrate, .minBitrate: running?.mayChangeBitrate == true ? .atOnce : .withNextBroadcast
    case .resumeWindow: .atOnce
    // The control socket, the open file and the session that is watched go by these.
    case .name, .events, .interruptOn, .preview, .afterCrash, .onSegment, .onSegmentWait, .keepAge, .keepSize,
      .maxDuration, .maxTotal, .alertBefore, .countInterruptions, .gate, .awaitReady, .gateTimeout,
      .onGateTimeout, .gateOnResume, .listen, .tokenSecret, .tlsCert, .tlsKey:
      .withNextStart
    case .video, .audio, .size, .fps, .encoder, .loop: keepsDevices ? .withNextOpening : .withNextBroadcast
    case .record, .duration, .gop, .videoCodec, .audioCodec, .audioBitrate, .to, .publishType, .outage,
      .connectTimeout, .stallTimeout, .giveUpAfter,
      .adaptive, .tlsCa, .tlsInsecure, .rtspTransport, .segment, .diskReserve, .syncEvery, .keepGaps,
      .recordQueue:
      .withNextBroadcast
    }
  }
}

extension ConfigurationChange: CustomStringConvertible {
  /// `configuration read again; in effect now: bitrate; takes effect with the next broadcast: size, fps`
  var description: String {
    guard !changed.isEmpty else { return "configuration read again: nothing has changed" }
    let parts = [
      ("in effect now", Effect.atOnce), ("takes effect with the next broadcast", .withNextBroadcast),
      ("takes effect when the devices are opened again (ctl background, ctl foreground)", .withNextOpening),
      ("can't change before the program is started again", .withNextStart),
    ].compactMap { title, effect -> String? in
      let names = changed.filter { $0.effect == effect }.map(\.setting.rawValue)
      return names.isEmpty ? nil : "\(title): \(names.joined(separator: ", "))"
    }
    return (["configuration read again"] + parts).joined(separator: "; ")
  }
}
