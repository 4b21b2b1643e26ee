import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// Viewers of several renditions.
@Suite struct LiveRenditionsTests {
  private let live = LivePackets {}

  private static let renditions: LiveRenditions = {
    var renditions = LiveRenditions(standard: PlannedRendition(.main, "1280x360", outputs: ["a"]))
    renditions.add(PlannedRendition(.named("low"), "640x360"), as: "low")
    renditions.add(PlannedRendition(.named("low"), "640x360"), as: "mobile")
    renditions.add(PlannedRendition(.named("b"), "640x360"), as: "b")
    return renditions
  }()

  /// A broadcast whose main rendition is encoded.
  private func broadcast() -> (all: LiveReceiver, main: LiveReceiver) {
    let all = live.begin([.video, .audio], Self.renditions)
    let main = all.begin(.main)
    all.offer(SampleTracks.audio)
    main.offer(SampleTracks.video)
    return (all, main)
  }

  private func read(_ viewer: LiveViewer) -> String { String(decoding: viewer.read(), as: UTF8.self) }

  private func fragments(_ viewer: LiveViewer) -> Int { read(viewer).split(separator: "moof").count - 1 }

  /// A viewer of `low`, which begins to be encoded once it is awaited.
  private func viewer(_ all: LiveReceiver) throws -> (viewer: LiveViewer, encode: LiveReceiver) {
    let encode = Locked<LiveReceiver?>(nil)
    let encoder = try StoppableThread(name: "encoder") { _ in
      _ = eventually(every: 1000) { all.watched.contains(.named("low")) }
      let low = all.begin(.named("low"))
      low.offer(SampleTracks.video)
      encode.withLock { $0 = low }
    }
    let viewer = try live.join("low", until: .now + .seconds(30))
    encoder.stop()
    return (viewer, try #require(encode.withLock { $0 }))
  }

  @Test func `the first viewer of a rendition waits for its encode, and gets that and the sound`() throws {
    let (all, main) = broadcast()
    #expect(live.isEncoded(nil) && !live.isEncoded("low"))
    let (viewer, low) = try viewer(all)
    #expect(viewer.mimeType == "video/mp4; codecs=\"avc1.42001E, mp4a.40.2\"")
    #expect(live.isEncoded("low") && live.isEncoded("mobile") && !live.isEncoded("b"))
    main.offer(.picture(0))
    low.offer(.picture(0))
    low.offer(.picture(1))
    all.offer(.sound(0))
    #expect(fragments(viewer) == 3)
    #expect(fragments(try live.join()) == 2)
    #expect(fragments(try live.join("mobile")) == 3)
  }

  @Test func `who waits too long is told that nothing is encoded, and is no viewer`() throws {
    let (all, _) = broadcast()
    #expect(throws: LiveRefusal.notLive) { try live.join("low", until: .now) }
    #expect(all.watched == [] && live.figures.viewers == 0)
  }

  @Test func `what was never planned is not awaited`() {
    #expect(throws: LiveRefusal.notLive) { try live.join("low", until: .now + .seconds(3600)) }
    _ = broadcast()
    #expect(throws: LiveRefusal.notLive) { try live.join("other", until: .now + .seconds(3600)) }
  }

  @Test func `an encode that is about to begin for others is not awaited`() {
    let all = live.begin([.video], Self.renditions)
    _ = all.begin(.main)
    #expect(throws: LiveRefusal.notLive) { try live.join(until: .now + .seconds(3600)) }
  }

  @Test func `copied pictures and sound alone are the only rendition`() throws {
    let receiver = live.begin([.video])
    #expect(throws: LiveRefusal.notLive) { try live.join(until: .now + .seconds(3600)) }
    receiver.offer(SampleTracks.video)
    #expect(live.choices == [] && receiver.watched == [])
    receiver.offer(.picture(0))
    #expect(fragments(try live.join()) == 1)
  }

  private func waiting(_ end: @escaping @Sendable (LiveReceiver) -> Void) throws -> LiveRefusal? {
    let (all, _) = broadcast()
    let ending = try StoppableThread(name: "end") { _ in
      _ = eventually(every: 1000) { all.watched == [.named("low")] }
      end(all)
    }
    defer { ending.stop() }
    return #expect(throws: LiveRefusal.self) { try live.join("low", until: .now + .seconds(30)) }
  }

  @Test func `who waits is told why it is refused, and of the end`() throws {
    #expect(try waiting { $0.refuse(.named("low"), why: "no time") } == .noRoom("no time"))
    #expect(try waiting { $0.end() } == .notLive)
    #expect(live.figures.viewers == 0)
  }

  @Test func `viewers of a rendition that has to end are told why, and the others see on`() throws {
    let (all, _) = broadcast()
    let main = try live.join()
    let low = try viewer(all).viewer
    _ = (read(main), read(low))
    #expect(all.watched == [.main, .named("low")])
    all.refuse(.named("low"), why: "no time")
    #expect(all.watched == [.main])
    #expect(read(low).contains(#"over\#u{0}{"code":"noRoom","message":"no time"}"#))
    #expect(low.next() == .over && main.next() == .nothing)
  }

  @Test func `an encode that has ended tells its viewers to connect again, and nothing of it follows`() throws
  {
    let (all, _) = broadcast()
    let (viewer, former) = try viewer(all)
    _ = read(viewer)
    former.end()
    #expect(read(viewer).contains(#"{"code":"changed""#) && viewer.next() == .over)
    let next = all.begin(.named("low"))
    former.offer(SampleTracks.video)
    #expect(!live.isEncoded("low"))
    next.offer(SampleTracks.video)
    former.offer(.picture(0))
    former.end()
    let other = try live.join("low")
    #expect(fragments(other) == 0 && other.next() == .nothing)
  }

  @Test func `the limit counts all viewers together, also those who wait`() throws {
    let (all, _) = broadcast()
    let viewers = try (1..<LivePackets.maxViewers).map { _ in try live.join() }
    let low = try viewer(all).viewer
    #expect(throws: LiveRefusal.tooManyViewers) { try live.join("low") }
    #expect(live.figures.viewers == 100 && live.figuresByRendition[.named("low")]?.viewers == 1)
    _ = (viewers, low)
  }

  @Test func `the figures of each rendition add up`() throws {
    let (all, main) = broadcast()
    let (viewer, low) = try viewer(all)
    let other = try live.join()
    for receiver in [main, low] { receiver.offer(.picture(0)) }
    _ = (read(viewer), read(other))
    for number in [1, 15] as [Int64] { low.offer(.picture(number)) }
    let figures = live.figuresByRendition
    #expect(figures.mapValues(\.viewers) == [.main: 1, .named("low"): 1, .named("b"): 0])
    let lag = MediaPacket.picture(15).decodeTime - MediaPacket.picture(1).decodeTime
    #expect(figures[.named("low")]?.lag == lag)
    #expect(live.figures.lag == figures[.named("low")]?.lag && figures[.main]?.lag == .zero)
    let sent = [.main, .named("low")].map { figures[$0]?.sentBytes ?? 0 }
    #expect(sent.allSatisfy { $0 > 0 } && live.figures.sentBytes == sent.reduce(0, +))
  }

  @Test func `the choices are told while there is a broadcast, the largest first`() {
    #expect(live.choices == [])
    let (all, _) = broadcast()
    #expect(live.choices.map(\.name) == ["b", "low", "mobile"])
    all.end()
    #expect(live.choices == [])
  }
}
