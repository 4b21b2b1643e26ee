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
  private var viewer = LiveTrack.Viewer()

  @discardableResult
  private func offer(_ milliseconds: Int64, isKeyframe: Bool = false, of track: Track = pictures) -> Bool {
    let time = MediaTime.milliseconds(milliseconds)
    return live.offer(
      MediaPacket(
        track: track.kind, decodeTime: time, presentationTime: time, duration: .milliseconds(20),
        isKeyframe: isKeyframe || track.kind == .audio, bytes: [0, 0, 0, 1, 0x65]), of: track)
  }

  /// In a word each.
  private mutating func steps() -> [String] {
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

  @Test mutating func `a viewer gets the head and all from the newest keyframe on, once`() {
    #expect([steps(), steps()] == [["connecting"], []])
    offer(0)
    offer(40, isKeyframe: true)
    offer(80)
    #expect(steps() == ["head video/mp4", "fragment", "fragment"])
    offer(120)
    #expect(steps() == ["fragment"])
    viewer = LiveTrack.Viewer()
    #expect(steps() == ["head video/mp4", "fragment", "fragment", "fragment"])
  }

  @Test mutating func `what is gone is told once, and what comes back has a new head`() {
    offer(0, isKeyframe: true)
    #expect(steps() == ["head video/mp4", "fragment"])
    live.lose("away")
    #expect([steps(), steps()] == [["away"], []])
    offer(20, isKeyframe: true)
    #expect(steps() == ["head video/mp4", "fragment"])
  }

  @Test(
    arguments: [(20, false), (9_000, false), (-500, false), (11_000, true), (-2000, true)] as [(Int64, Bool)])
  mutating func `a sender whose times go elsewhere has begun anew`(after: Int64, isNew: Bool) {
    offer(60_000, isKeyframe: true)
    _ = steps()
    offer(60_000 + after, isKeyframe: true)
    #expect(steps() == (isNew ? ["head video/mp4", "fragment"] : ["fragment"]))
  }

  @Test mutating func `another description of the track begins anew`() {
    offer(0, isKeyframe: true)
    _ = steps()
    let other = Track(
      codec: .h264, format: Self.pictures.format, headers: Self.pictures.headers, bitrate: 1)
    offer(40, isKeyframe: true, of: other)
    #expect(steps() == ["head video/mp4", "fragment"])
  }

  @Test mutating func `what MP4 can't hold is missing, and says why`() {
    offer(0, isKeyframe: true, of: Self.other)
    #expect(steps() == ["unplayable"])
  }

  @Test func `pictures wake viewers each, and sound now and then`() {
    #expect([0, 20, 40].map { offer($0, isKeyframe: true) } == [true, true, true])
    #expect(
      [0, 21, 43, 64, 85].map { offer(1000 + $0, of: Self.sound) } == [true, false, false, true, false])
  }

  @Test mutating func `a viewer that is too slow is told what it did not get`() {
    offer(0, isKeyframe: true)
    #expect(steps() == ["head video/mp4", "fragment"])
    for tenth in Int64(1)...50 { offer(tenth * 100, isKeyframe: tenth % 10 == 0) }
    let skipped = live.next(for: &viewer)
    guard case .fragment(let message) = skipped else {
      Issue.record("\(skipped)")
      return
    }
    #expect(String(decoding: message, as: UTF8.self).contains("urn:holdfast:live"))
    #expect(steps() == ["fragment"])
  }
}
