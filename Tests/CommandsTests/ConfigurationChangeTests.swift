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

  @Test func `a file without changes is reported as unchanged`() {
    #expect(change { _ in }.description == "configuration read again: nothing has changed")
  }

  @Test func `changes are reported by when they take effect`() {
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

  @Test(arguments: [true, false])
  func `the bitrate waits for the next broadcast where the encoder keeps it, or none runs`(isRunning: Bool) {
    var running = Configuration()
    running.video.codec = .hevc
    running.video.encoder = .vaapi
    let change = change(running: isRunning ? running : nil) { $0.broadcast.video.bitrate = 1_000_000 }
    #expect(change.description == "configuration read again; takes effect with the next broadcast: bitrate")
  }

  @Test(arguments: Example.all)
  func `no setting changes without being named`(example: Example) {
    let change = ConfigurationChange(from: ProgramSettings(), to: example.expected, running: Configuration())
    #expect(change.description.hasSuffix(": \(example.setting)"))
  }
}
