internal import HoldfastLifecycle

/// Which sources are chosen, and who waits for another one. One is switched at a time.
package struct SourceSwitches: Sendable {
  package typealias Answer = @Sendable (ChangeError?) -> Void

  private(set) var choices: SourceChoices
  private var pending: (change: SourceChange, answer: Answer)?

  init(_ configuration: Configuration) {
    choices = SourceChoices(configuration)
  }

  mutating func configure(_ new: Configuration) {
    choices.configure(new)
  }

  /// False where it is refused; `answer` has got why.
  mutating func begin(_ change: SourceChange, in state: Lifecycle.State, answer: @escaping Answer)
    -> Bool
  {
    switch state {
    case .idle, .previewing, .starting, .live, .interrupted, .backgrounded:
      guard pending == nil else {
        answer(
          ChangeError(.busy, "another source is being switched to", hint: "try again in a moment"))
        return false
      }
      pending = (change, answer)
      return true
    case .ending, .ended:
      answer(.isOver)
      return false
    }
  }

  /// What is chosen from now on, nil where the switch has come to nothing, and the answer to who waits for it.
  mutating func end(_ error: ChangeError?) -> (chosen: SourceChange?, answer: Answer)? {
    guard let (change, answer) = pending else { return nil }
    pending = nil
    guard error == nil else { return (nil, answer) }
    choices.choose(change)
    return (change, answer)
  }
}

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
