/// Which sources are configured, and which were chosen instead.
struct SourceChoices: Hashable, Sendable {
  private struct Choice<Medium: SelectableMedium>: Hashable, Sendable {
    var configured: SourceSelection<Medium>
    var chosen: SourceSelection<Medium>?

    /// What was chosen lasts, where the new configuration says what the last one said.
    mutating func configure(_ new: SourceSelection<Medium>) {
      guard new != configured, new != chosen else { return }
      (configured, chosen) = (new, nil)
    }
  }

  private var video: Choice<PictureMedium>
  private var audio: Choice<SoundMedium>

  init(_ configuration: Configuration) {
    video = Choice(configured: configuration.video.source)
    audio = Choice(configured: configuration.audio.source)
  }

  mutating func configure(_ new: Configuration) {
    video.configure(new.video.source)
    audio.configure(new.audio.source)
  }

  mutating func choose(_ change: SourceChange) {
    switch change {
    case .video(let selection): video.chosen = selection
    case .audio(let selection): audio.chosen = selection
    }
  }

  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    configuration.video.source = video.chosen ?? configuration.video.source
    configuration.audio.source = audio.chosen ?? configuration.audio.source
    return configuration
  }
}
