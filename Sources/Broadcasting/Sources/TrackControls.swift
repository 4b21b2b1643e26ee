internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What can be changed of a broadcaster's tracks at any time, and lasts for all of its broadcasts.
final class TrackControls: Sendable {
  /// A choice that holds until the configuration says something else than it did then.
  private struct Choices {
    var video: (configured: VideoSelection, chosen: VideoSelection)?
    var audio: (configured: AudioSelection, chosen: AudioSelection)?
  }

  let pictures = PreviewPictures()
  private let video = MuteSwitch()
  private let audio = MuteSwitch()
  private let devices = Locked<Devices?>(nil)
  private let choices = Locked(Choices())
  private let states = Locked<[TrackKind: BroadcastEvent.DeviceState]>([:])
  private let isChanging = Locked(false)

  func mute(of track: TrackKind) -> MuteSwitch {
    switch track {
    case .video: video
    case .audio: audio
    }
  }

  var muted: Set<TrackKind> { Set(TrackKind.allCases.filter { mute(of: $0).isMuted }) }

  /// There are devices from now on.
  func begin(_ devices: Devices) {
    self.devices.withLock { $0 = devices }
  }

  func finish() {
    devices.withLock { $0 = nil }
    pictures.finish()
  }

  var openDevices: Devices? { devices.withLock { $0 } }

  /// False while another change is under way.
  func beginChange() -> Bool {
    isChanging.withLock { isChanging in
      defer { isChanging = true }
      return !isChanging
    }
  }

  func endChange() {
    isChanging.withLock { $0 = false }
  }

  /// `change` is made; `configuration` is what there was before it.
  func choose(_ change: SourceChange, over configuration: Configuration) {
    choices.withLock { choices in
      switch change {
      case .video(let chosen):
        choices.video = (choices.video?.configured ?? configuration.video.source, chosen)
      case .audio(let chosen):
        choices.audio = (choices.audio?.configured ?? configuration.audio.source, chosen)
      }
    }
  }

  /// What was chosen lasts, where `configuration` says of it what the last one said.
  func keepChoices(in configuration: Configuration) -> Configuration {
    choices.withLock { choices in
      var configuration = configuration
      if let video = choices.video, [video.configured, video.chosen].contains(configuration.video.source) {
        configuration.video.source = video.chosen
      } else {
        choices.video = nil
      }
      if let audio = choices.audio, [audio.configured, audio.chosen].contains(configuration.audio.source) {
        configuration.audio.source = audio.chosen
      } else {
        choices.audio = nil
      }
      return configuration
    }
  }

  /// Keeps what is told of devices.
  func look(at event: BroadcastEvent) {
    if case .device(let track, let state, _) = event { states.withLock { $0[track] = state } }
  }

  /// What was last told of a device; nil where nothing was.
  func deviceState(of track: TrackKind) -> BroadcastEvent.DeviceState? { states.withLock { $0[track] } }
}
