import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastBroadcastCommands
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
    #expect(change { _ in }.description == "configuration reloaded: no changes")
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
        == "configuration reloaded; in effect now: resumeWindow, bitrate; takes effect with the "
        + "next broadcast: size, fps; takes effect after a restart of the program: name, events")
  }

  @Test func `settings that can't change stay as they were, and all others are applied`() {
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

  @Test func `a reload keeps the session and the output there`() throws {
    var old = ProgramSettings()
    old.membership.session = try HTTPAddress("https://hub.lan/Hall")
    old.membership.hubCA = "hub.pem"
    old.membership.awaitsOthers = 2
    var new = old
    new.membership.session = try HTTPAddress("https://elsewhere.lan/Hall")
    new.broadcast.audio.source = .off
    let change = ConfigurationChange(from: old, to: new, running: nil)
    #expect(change.accepted.membership == old.membership)
    let output = change.accepted.broadcasting.outputs.requests.last
    #expect(output?.isOfSession == true && output?.tlsCA == "hub.pem")
    #expect(change.accepted.broadcasting.session.gate.awaitsOthers)
  }

  @Test func `a small rendition is one of those that there are, and needs a session`() throws {
    let session = ["--session", "https://hub.lan/Hall"]
    let renditions = ["--renditions", #"{"low":{"size":"320x180"}}"#]
    for (flags, small, problem) in [
      (session + renditions, "low", nil), (session, nil, nil),
      (session + renditions, "lwo", "there is no rendition lwo; did you mean low?"),
      (session, "low", "there is no rendition low; add it to renditions"),
      (
        renditions, "low",
        "it is published at a session, and the box joins none; add --session, or leave it out"
      ),
    ] as [([String], String?, String?)] {
      let settings = try read(flags + (small.map { ["--session-small", $0] } ?? []))
      let refusal = failure { () throws(Refusal) in try settings.checkSmallRendition() }
      #expect(refusal?.description == problem.map { "--session-small \(small ?? ""): \($0)" })
    }
  }

  @Test func `a reload that takes the small rendition away leaves the main output at the session`() throws {
    var settings = ProgramSettings()
    settings.membership.session = try HTTPAddress("https://hub.lan/Hall")
    settings.membership.smallRendition = "low"
    settings.broadcast.renditions = ["low": Rendition()]
    #expect(settings.broadcasting.outputs.requests.map(\.rendition) == [nil, "low"])
    settings.broadcast.renditions = [:]
    #expect(settings.broadcasting.outputs.requests.map(\.rendition) == [nil])
  }

  @Test(arguments: [true, false])
  func `a bitrate waits for the next broadcast if none runs or the encoder can't change it`(isRunning: Bool) {
    var running = Configuration()
    running.video.codec = .hevc
    running.video.encoder = .vaapi
    let change = change(running: isRunning ? running : nil) { $0.broadcast.video.bitrate = 1_000_000 }
    #expect(change.description == "configuration reloaded; takes effect with the next broadcast: bitrate")
  }

  @Test(arguments: Example.all)
  func `every changed setting is named`(example: Example) {
    let change = ConfigurationChange(from: ProgramSettings(), to: example.expected, running: Configuration())
    #expect(change.description.hasSuffix(": \(example.setting)"))
  }
}
