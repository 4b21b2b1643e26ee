import HoldfastMediaModel
import HoldfastTesting
import Testing

@testable import Holdfast

@Suite struct ValueTests {
  @Test(arguments: [
    (nil, Holdfast.Gap.Scope.everywhere), ("recording", .recording), ("rtmp-1", .output("rtmp-1")),
  ])
  func `a gap tells where media is missing`(output: String?, scope: Holdfast.Gap.Scope) {
    let wall = HoldfastMediaModel.WallTime(nanoseconds: 0)
    let inner = HoldfastMediaModel.Gap(
      .network, output: output, wallFrom: wall, wallTo: wall, mediaAt: .zero)
    #expect(Holdfast.Gap(inner: inner).scope == scope)
  }

  @Test func `a sink can be tested with tracks and packets made by hand`() {
    let sink = CollectingSink()
    sink.beginTrack(Holdfast.Track(.audio(.aac, SoundFormat()), headers: [0x11, 0x90]))
    sink.receive(Packet(.audio, at: .seconds(1), duration: .milliseconds(20), isKeyframe: true, bytes: [1]))
    #expect(sink.tracks.map(\.kind) == [.audio])
    #expect(sink.packets.map(\.trackKind) == [.audio])
    #expect(sink.packets.map(\.presentationTime) == [.seconds(1)] && sink.packets[0].bytes == [1])
  }

  @Test func `a source can be tested with a stop made by hand`() throws {
    let (stop, request) = try SourceStop.make()
    #expect(!stop.isRequested && !stop.wait(until: .now))
    request()
    try TestCamera().run(until: stop) { _ in }
    #expect(stop.isRequested)
  }

  @Test func `capture times add and subtract durations`() {
    let time = CaptureTime(elapsed: .seconds(5))
    #expect(time + .seconds(2) == CaptureTime(elapsed: .seconds(7)))
    #expect(CaptureTime(elapsed: .seconds(7)) - time == .seconds(2) && time < time + .nanoseconds(1))
  }
}
