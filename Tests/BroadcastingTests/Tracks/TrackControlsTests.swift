import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

/// What was chosen while it ran, against what the configuration says.
@Suite struct TrackControlsTests {
  private let configured: Configuration = {
    var configuration = Configuration()
    configuration.video.source = .device("A")
    configuration.audio.source = .device("B")
    return configuration
  }()

  private var controls: TrackControls {
    let controls = TrackControls()
    controls.choose(.video(.test), over: configured)
    controls.choose(.video(.device("C")), over: SourceChange.video(.test).applied(to: configured))
    return controls
  }

  @Test func `a choice lasts where the configuration is read again and says the same of it`() {
    var read = configured
    read.video.bitrate = 1_000_000
    let kept = controls.keepChoices(in: read)
    #expect(
      kept.video.source == .device("C") && kept.audio.source == .device("B")
        && kept.video.bitrate == 1_000_000)
  }

  @Test func `a configuration that says something else is the newer wish`() {
    let controls = controls
    var read = configured
    read.video.source = .file("F")
    #expect(controls.keepChoices(in: read).video.source == .file("F"))
    #expect(controls.keepChoices(in: configured).video.source == .device("A"))
  }

  @Test func `one change is made at a time`() {
    let controls = TrackControls()
    #expect(controls.beginChange() && !controls.beginChange())
    controls.endChange()
    #expect(controls.beginChange())
  }

  @Test(arguments: [
    (SourceChange.video(.off), true), (.audio(.off), true), (.video(.test), false), (.audio(.test), false),
  ])
  func `a track can't be left out of a broadcast`(change: SourceChange, isRefused: Bool) {
    #expect(((try? change.check(configured)) == nil) == isRefused)
  }

  @Test func `a track that there is not, and a camera's own encoding, can't be changed`() {
    var silent = configured
    silent.audio.source = .off
    #expect(throws: ChangeError.self) { try SourceChange.audio(.test).check(silent) }
    var copied = configured
    copied.video.encoder = .copy
    #expect(throws: ChangeError.self) { try SourceChange.video(.device("C")).check(copied) }
    #expect(throws: Never.self) { try SourceChange.audio(.test).check(copied) }
  }
}
