internal import HoldfastMediaModel

/// What of a configuration says which sources there are.
struct ConfiguredSources: Hashable {
  let video: VideoSelection
  let audio: AudioSelection
  let size: PictureSize
  let frameRate: FrameRate
  let encoder: EncoderChoice
  let loop: Bool

  init(_ configuration: Configuration) {
    video = configuration.video
    audio = configuration.audio
    size = configuration.size
    frameRate = configuration.frameRate
    encoder = configuration.encoder
    loop = configuration.loop
  }

  /// `configuration`, but with these sources: they are open.
  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    configuration.video = video
    configuration.audio = audio
    configuration.size = size
    configuration.frameRate = frameRate
    configuration.encoder = encoder
    configuration.loop = loop
    return configuration
  }
}
