import HoldfastCapture
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastBroadcasting

/// Sources chosen while a broadcast runs, in contrast to those in the configuration.
@Suite struct SourceSwitchesTests {
  private let configured: Configuration = {
    var configuration = Configuration()
    configuration.video.source = .device("A")
    configuration.audio.source = .device("B")
    return configuration
  }()

  private var choices: SourceChoices {
    var choices = SourceChoices(configured)
    choices.choose(.video(.test))
    choices.choose(.video(.device("C")))
    return choices
  }

  @Test func `a chosen source survives a reload that does not change it`() {
    var read = configured
    read.video.bitrate = 1_000_000
    var choices = choices
    for source in [configured.video.source, .device("C"), configured.video.source] {
      read.video.source = source
      choices.configure(read)
      let kept = choices.applied(to: read)
      #expect(
        kept.video.source == .device("C") && kept.audio.source == .device("B")
          && kept.video.bitrate == 1_000_000)
    }
  }

  @Test func `a reload with a different source overrides the source chosen before`() {
    var choices = choices
    var read = configured
    read.video.source = .file("F")
    choices.configure(read)
    #expect(choices.applied(to: read).video.source == .file("F"))
    choices.configure(configured)
    #expect(choices.applied(to: configured).video.source == .device("A"))
  }

  @Test func `the source before the screen is remembered, and the last screen`() {
    let screen = VideoSelection.screen(ScreenSelection(display: ":7"))
    var choices = choices
    #expect(choices.video(showingScreen: true) == .screen(ScreenSelection()))
    #expect(choices.video(showingScreen: false) == .device("C"))
    choices.choose(.video(screen))
    choices.choose(.video(.screen(ScreenSelection(display: ":8"))))
    choices.choose(.video(screen))
    choices.choose(.audio(.test))
    #expect(choices.video(showingScreen: true) == screen)
    #expect(choices.video(showingScreen: false) == .device("C"))
    choices.choose(.video(.test))
    #expect(choices.video(showingScreen: true) == screen && choices.video(showingScreen: false) == .test)
  }

  @Test func `a broadcast that began with the screen has no source to return to`() {
    var configured = configured
    configured.video.source = .screen(ScreenSelection(display: ":7"))
    var choices = SourceChoices(configured)
    #expect(choices.video(showingScreen: true) == configured.video.source)
    #expect(choices.video(showingScreen: false) == nil)
    choices.choose(.video(.test))
    #expect(choices.video(showingScreen: true) == configured.video.source)
  }

  private typealias Answers = BoundedQueue<ChangeError?>

  @Test func `only one source switch runs at a time, and it counts once it succeeds`() {
    var switches = SourceSwitches(configured)
    let (first, second) = (Answers(capacity: 1), Answers(capacity: 1))
    let begun = [
      switches.begin(.video(.test), in: .live) { _ = first.offer($0) },
      switches.begin(.audio(.test), in: .live) { _ = second.offer($0) },
    ]
    #expect(begun == [true, false])
    #expect(second.take(until: .now)??.kind == .busy)
    #expect(switches.choices == SourceChoices(configured))
    let end = switches.end(nil)
    end?.answer(nil)
    #expect(end?.chosen == .video(.test) && first.take(until: .now) == .some(nil))
    #expect(switches.choices.applied(to: configured).video.source == .test)
    let again = switches.end(nil)
    #expect(again?.chosen == nil)
  }

  @Test func `a failed source switch leaves the choice as it is and allows the next one`() {
    var switches = SourceSwitches(configured)
    _ = switches.begin(.video(.test), in: .idle) { _ in }
    let end = switches.end(.isOver)
    #expect(end != nil && end?.chosen == nil && switches.choices == SourceChoices(configured))
    let isNextBegun = switches.begin(.audio(.test), in: .idle) { _ in }
    #expect(isNextBegun)
  }

  @Test func `no source can be changed once the broadcast is ending`() {
    var switches = SourceSwitches(configured)
    let answers = Answers(capacity: 1)
    let isBegun = switches.begin(.video(.test), in: .ending) { _ = answers.offer($0) }
    #expect(!isBegun && answers.take(until: .now) == .some(.isOver))
  }

  @Test(arguments: [
    (SourceChange.video(.off), true), (.audio(.off), true), (.video(.test), false), (.audio(.test), false),
  ])
  func `a track can't be switched off`(change: SourceChange, isRefused: Bool) {
    #expect(((try? change.check(configured)) == nil) == isRefused)
  }

  @Test func `a missing track and a copied camera encoding can't be switched`() {
    var silent = configured
    silent.audio.source = .off
    #expect(throws: ChangeError.self) { try SourceChange.audio(.test).check(silent) }
    var copied = configured
    copied.video.encoder = .copy
    #expect(throws: ChangeError.self) { try SourceChange.video(.device("C")).check(copied) }
    #expect(throws: Never.self) { try SourceChange.audio(.test).check(copied) }
  }
}
