import HoldfastBroadcasting
import HoldfastMediaModel
import Testing

@testable import HoldfastCommands

@Suite struct ConfigurationChangeTests {
  private func change(
    running: Configuration? = Configuration(), _ change: (inout ProgramSettings) -> Void
  ) -> ConfigurationChange {
    var new = ProgramSettings()
    change(&new)
    return ConfigurationChange(from: ProgramSettings(), to: new, running: running)
  }

  @Test func `nothing new is said to be that`() {
    #expect(change { _ in }.description == "configuration read again: nothing has changed")
  }

  @Test func `what changes when is said in its order`() {
    let change = change {
      $0.broadcast.video.size = PictureSize(width: 640, height: 360)
      $0.broadcast.video.frameRate = FrameRate(numerator: 25, denominator: 1) ?? .thirty
      $0.broadcast.video.bitrate = 1_000_000
      $0.broadcast.session.resumeWindow = .seconds(60)
      $0.broadcast.name = "yard"
      $0.events = "-"
    }
    #expect(
      change.description
        == "configuration read again; in effect now: resumeWindow, bitrate; takes effect with the "
        + "next broadcast: size, fps; can't change before the program is started again: name, events")
  }

  @Test func `what can't change stays as it was, all else is taken`() {
    let change = change {
      $0.broadcast.name = "yard"
      $0.events = "-"
      $0.interruptOn = [.lock]
      $0.broadcast.video.bitrate = 1_000_000
      $0.broadcast.audio.source = .off
    }
    var expected = ProgramSettings()
    expected.broadcast.video.bitrate = 1_000_000
    expected.broadcast.audio.source = .off
    #expect(change.accepted == expected)
  }

  @Test func `the bitrate waits for the next broadcast where the encoder keeps it`() {
    var running = Configuration()
    running.video.codec = .hevc
    running.video.encoder = .vaapi
    let text = change(running: running) { $0.broadcast.video.bitrate = 1_000_000 }.description
    #expect(text == "configuration read again; takes effect with the next broadcast: bitrate")
  }

  @Test func `the bitrate waits for the next broadcast where none runs`() {
    let text = change(running: nil) { $0.broadcast.video.bitrate = 1_000_000 }.description
    #expect(text == "configuration read again; takes effect with the next broadcast: bitrate")
  }

  @Test(arguments: Example.all)
  func `no setting changes without being named`(example: Example) {
    let change = ConfigurationChange(
      from: ProgramSettings(), to: example.expected, running: Configuration())
    #expect(change.description.hasSuffix(": \(example.setting)"))
  }
}
