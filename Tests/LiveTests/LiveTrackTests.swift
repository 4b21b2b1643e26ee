import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastLive

@Suite struct LiveTrackTests {
  private static let pictures = SampleTracks.video
  private static let sound = SampleTracks.audio
  /// No form of MP4 that browsers play has them.
  private static let other = Track(codec: .h264, format: pictures.format, headers: [], bitrate: 0)

  private let live = LiveTrack(missing: "connecting")

  @discardableResult
  private func offer(_ milliseconds: Int64, isKeyframe: Bool = false, of track: Track = pictures) -> Bool {
    let time = MediaTime.milliseconds(milliseconds)
    return live.offer(
      MediaPacket(
        track: track.kind, decodeTime: time, presentationTime: time, duration: .milliseconds(20),
        isKeyframe: isKeyframe || track.kind == .audio, bytes: [0, 0, 0, 1, 0x65]), of: track)
  }

  /// In a word each.
  private func steps(_ viewer: inout LiveTrack.Viewer) -> [String] {
    var words: [String] = []
    while true {
      switch live.next(for: &viewer) {
      case .head(let type, let bytes): words.append(bytes.isEmpty ? "empty head" : "head \(type.prefix(9))")
      case .fragment(let bytes): words.append(bytes.isEmpty ? "empty" : "fragment")
      case .missing(let why): words.append(why)
      case .nothing: return words
      }
    }
  }

  @Test func `a viewer gets the head and all from the newest keyframe on, once`() {
    var early = LiveTrack.Viewer()
    #expect(steps(&early) == ["connecting"])
    #expect(steps(&early) == [])
    offer(0)
    offer(40, isKeyframe: true)
    offer(80)
    #expect(steps(&early) == ["head video/mp4", "fragment", "fragment"])
    offer(120)
    #expect(steps(&early) == ["fragment"])
    var late = LiveTrack.Viewer()
    #expect(steps(&late) == ["head video/mp4", "fragment", "fragment", "fragment"])
  }

  @Test func `what is gone is told once, and what comes back has a new head`() {
    var viewer = LiveTrack.Viewer()
    offer(0, isKeyframe: true)
    #expect(steps(&viewer) == ["head video/mp4", "fragment"])
    live.lose("away")
    #expect(steps(&viewer) == ["away"])
    #expect(steps(&viewer) == [])
    offer(20, isKeyframe: true)
    #expect(steps(&viewer) == ["head video/mp4", "fragment"])
  }

  @Test(
    arguments: [(20, false), (9_000, false), (-500, false), (11_000, true), (-2000, true)] as [(Int64, Bool)])
  func `a sender whose times go elsewhere has begun anew`(after: Int64, isNew: Bool) {
    var viewer = LiveTrack.Viewer()
    offer(60_000, isKeyframe: true)
    _ = steps(&viewer)
    offer(60_000 + after, isKeyframe: true)
    #expect(steps(&viewer) == (isNew ? ["head video/mp4", "fragment"] : ["fragment"]))
  }

  @Test func `another description of the track begins anew`() {
    var viewer = LiveTrack.Viewer()
    offer(0, isKeyframe: true)
    _ = steps(&viewer)
    let other = Track(
      codec: .h264, format: Self.pictures.format, headers: Self.pictures.headers, bitrate: 1)
    offer(40, isKeyframe: true, of: other)
    #expect(steps(&viewer) == ["head video/mp4", "fragment"])
  }

  @Test func `what MP4 can't hold is missing, and says why`() {
    var viewer = LiveTrack.Viewer()
    offer(0, isKeyframe: true, of: Self.other)
    #expect(steps(&viewer) == ["unplayable"])
  }

  @Test func `pictures wake viewers each, and sound now and then`() {
    #expect([0, 20, 40].map { offer($0, isKeyframe: true) } == [true, true, true])
    #expect(
      [0, 21, 43, 64, 85].map { offer(1000 + $0, of: Self.sound) } == [true, false, false, true, false])
  }

  @Test func `a viewer that is too slow is told what it did not get`() {
    var viewer = LiveTrack.Viewer()
    offer(0, isKeyframe: true)
    #expect(steps(&viewer) == ["head video/mp4", "fragment"])
    for tenth in Int64(1)...50 { offer(tenth * 100, isKeyframe: tenth % 10 == 0) }
    let skipped = live.next(for: &viewer)
    guard case .fragment(let message) = skipped else {
      Issue.record("\(skipped)")
      return
    }
    #expect(String(decoding: message, as: UTF8.self).contains("urn:holdfast:live"))
    #expect(steps(&viewer) == ["fragment"])
  }
}
