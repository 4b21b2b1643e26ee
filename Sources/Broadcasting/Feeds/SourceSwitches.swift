import HoldfastCapture
import HoldfastLifecycle
import HoldfastMediaModel

/// The chosen sources and the pending switch; there is one at a time.
package struct SourceSwitches: Sendable {
  package typealias Answer = @Sendable (ChangeError?) -> Void

  private(set) var choices: SourceChoices
  private var pending: (change: SourceChange, answer: Answer)?

  init(_ configuration: Configuration) { choices = SourceChoices(configuration) }

  mutating func configure(_ new: Configuration) { choices.configure(new) }

  /// False if refused; `answer` has then received the reason.
  mutating func begin(_ change: SourceChange, in state: Lifecycle.State, answer: @escaping Answer)
    -> Bool
  {
    switch state {
    case .idle, .previewing, .starting, .live, .interrupted, .backgrounded:
      guard pending == nil else {
        answer(ChangeError(.busy, "another source switch is in progress", hint: "try again in a moment"))
        return false
      }
      pending = (change, answer)
      return true
    case .ending, .ended:
      answer(.isOver)
      return false
    }
  }

  /// The new choice, nil if the switch failed, and the pending answer; nil if there was no switch.
  mutating func end(_ error: ChangeError?) -> (chosen: SourceChange?, answer: Answer)? {
    guard let (change, answer) = pending else { return nil }
    pending = nil
    guard error == nil else { return (nil, answer) }
    choices.choose(change)
    return (change, answer)
  }
}

/// The configured sources and those chosen instead.
struct SourceChoices: Hashable, Sendable {
  private struct Choice<Medium: SelectableMedium>: Hashable, Sendable {
    var configured: SourceSelection<Medium>
    var chosen: SourceSelection<Medium>?

    var current: SourceSelection<Medium> { chosen ?? configured }

    /// Drops the chosen source if a different one is configured.
    mutating func configure(_ new: SourceSelection<Medium>) {
      guard new != configured, new != chosen else { return }
      (configured, chosen) = (new, nil)
    }
  }

  private var video: Choice<PictureMedium>
  private var audio: Choice<SoundMedium>
  /// The last screen, and the source that it replaced.
  private var lastScreen: VideoSelection?
  private var beforeScreen: VideoSelection?

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
    case .video(let selection):
      if selection.isScreen, !video.current.isScreen { beforeScreen = video.current }
      video.chosen = selection
      if selection.isScreen { lastScreen = selection }
    case .audio(let selection): audio.chosen = selection
    }
  }

  /// The source to show the screen, or the one to return to from it; nil if there has been none.
  func video(showingScreen isShown: Bool) -> VideoSelection? {
    guard video.current.isScreen == isShown else {
      let known = lastScreen ?? (video.configured.isScreen ? video.configured : .screen(ScreenSelection()))
      return isShown ? known : beforeScreen
    }
    return video.current
  }

  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    configuration.video.source = video.chosen ?? configuration.video.source
    configuration.audio.source = audio.chosen ?? configuration.audio.source
    return configuration
  }
}
