import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import Holdfast
@testable import HoldfastBroadcasting

@Suite struct ValueTests {
  @Test(arguments: [
    (nil, Holdfast.Gap.Scope.everywhere), ("recording", .recording), ("rtmp-1", .output("rtmp-1")),
  ])
  func `a gap tells where media is missing`(output: String?, scope: Holdfast.Gap.Scope) {
    let (from, to) = (Holdfast.WallTime(sinceEpoch: .seconds(9)), Holdfast.WallTime(sinceEpoch: .seconds(10)))
    let gap = Holdfast.Gap(.network, in: scope, at: .seconds(5), from: from, to: to, lostPictures: 30)
    #expect(gap.scope == scope && gap.inner.output == output)
    #expect(gap.cause == .network && gap.from == from && gap.to == to && gap.lostPictures == 30)
    let event = Event(.gap(gap), broadcastID: "b1", at: to)
    #expect(event.description.hasPrefix("1970-01-01T00:00:10.000Z b1 gap("))
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

  @Test(arguments: [SoundFormat(sampleRate: 0), SoundFormat(channels: 0), SoundFormat(channels: 9)])
  func `a sound source with an impossible format is lost with a reason`(format: SoundFormat) throws {
    let adapter = SoundAdapter(source: OddSource(format: format))
    let error = #expect(throws: CaptureError.self) { try adapter.run(until: try Wakeup()) { _ in } }
    #expect(error?.hint == "use 8000 to 192000 Hz and 1 to 8 channels")
  }

  @Test func `a sample that is not a number is silence, and a frame that lacks a channel is dropped`() throws
  {
    let adapter = SoundAdapter(source: OddSource(format: SoundFormat()))
    var samples: [Float] = []
    try adapter.run(until: try Wakeup()) { samples += $0.samples }
    #expect(samples == [0.5, 0])
  }

  @Test func `a picture of another size than announced is delivered as it is`() throws {
    let adapter = PictureAdapter(source: OddSource(format: SoundFormat()))
    var sizes: [Holdfast.PictureSize] = []
    try adapter.run(until: try Wakeup()) { sizes.append(Holdfast.PictureSize(inner: $0.frame.size)) }
    #expect(sizes == [Holdfast.PictureSize(width: 64, height: 48)])
  }

  @Test func `waiting ends when its task is cancelled`() async throws {
    let server = try LocalServer()
    let wait = Task { await server.waitForStream("never") }
    wait.cancel()
    #expect(await wait.value == nil)
  }

  @Test func `a sink hears of its last losses before the broadcast's end`() throws {
    let sink = CollectingSink()
    let thread = SinkThread(sink)
    let packet = MediaPacket(
      track: .audio, decodeTime: .zero, presentationTime: .zero, duration: .zero, isKeyframe: true, bytes: [])
    for _ in 0..<3000 { thread.offer(packet) }
    let report = Holdfast.Report(.stopped, duration: .seconds(2), recordingPath: "a.mp4", outputCount: 1)
    thread.endBroadcast(report)
    thread.close()
    try thread.start()
    thread.join()
    #expect(sink.droppedPackets > 0 && sink.packets.count + sink.droppedPackets == 3000)
    #expect(sink.reports == [report])
  }
}

/// Announces one size, delivers a picture of another one, and has any sound format.
private final class OddSource: PictureSource, SoundSource {
  let format: SoundFormat
  let name = "odd"
  let size = Holdfast.PictureSize(width: 320, height: 240)
  let frameRate: Holdfast.FrameRate = 30

  init(format: SoundFormat) { self.format = format }

  func run(until stop: SourceStop, deliver: (SoundBlock) -> Void) throws {
    deliver(SoundBlock(samples: [0.5, .nan, 0.25]))
  }

  func run(until stop: SourceStop, deliver: (Picture) -> Void) throws {
    let small = Holdfast.PictureSize(width: 64, height: 48)
    if let picture = Picture(size: small, planes: Array(repeating: 0, count: 4608)) { deliver(picture) }
  }
}
