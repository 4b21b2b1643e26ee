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
    video = configuration.video.source
    audio = configuration.audio.source
    size = configuration.video.size
    frameRate = configuration.video.frameRate
    encoder = configuration.video.encoder
    loop = configuration.loop
  }

  /// `configuration`, but with these sources: they are open.
  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    configuration.video.source = video
    configuration.audio.source = audio
    configuration.video.size = size
    configuration.video.frameRate = frameRate
    configuration.video.encoder = encoder
    configuration.loop = loop
    return configuration
  }
}
