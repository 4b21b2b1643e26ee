import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct LivePacketsTests {
  private let wakes = Locked(0)
  private let live: LivePackets

  init() { live = LivePackets { [wakes] in wakes.withLock { $0 += 1 } } }

  /// A broadcast of both tracks, with pictures up to `pictures`.
  private func broadcast(pictures: Int64 = 0) -> LiveReceiver {
    let receiver = live.begin([.video, .audio])
    for track in [SampleTracks.video, SampleTracks.audio] { receiver.offer(track) }
    for number in 0..<pictures { receiver.offer(.picture(number)) }
    return receiver
  }

  private func samples(_ bytes: [UInt8]) throws -> [[Fragment.Sample]] {
    var samples: [[Fragment.Sample]] = [[], []]
    _ = try FragmentedFile(RecordingBytes(bytes)) { fragment in
      for part in fragment.parts { samples[Int(part.track) - 1] += part.samples }
    }
    return samples
  }

  @Test func `a viewer gets the head and each packet from the newest keyframe on, as a file that reads well`()
    throws
  {
    let receiver = broadcast(pictures: 45)
    let viewer = try live.join()
    #expect(viewer.mimeType == "video/mp4; codecs=\"avc1.42001E, mp4a.40.2\"")
    receiver.offer(.sound(70))
    var bytes = viewer.read()
    receiver.offer(.picture(45))
    bytes += viewer.read()
    let found = try samples(bytes)
    #expect(found[0].map(\.isKeyframe) == [true] + Array(repeating: false, count: 15))
    #expect(found[1].map(\.time) == [70 * 1024])
    #expect(bytes[found[1][0].bytes.lowerBound] == 0x21)
    let times = found[0].map(\.time)
    #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count == 1)
    #expect(live.figures.sentBytes == Int64(bytes.count))
  }

  @Test func `all viewers get the same`() throws {
    let receiver = broadcast(pictures: 10)
    let viewers = try (0..<3).map { _ in try live.join() }
    let first = viewers.map { $0.read() }
    receiver.offer(.picture(10))
    #expect(Set(first).count == 1 && !first[0].isEmpty)
    #expect(Set(viewers.map { $0.read() }).count == 1)
  }

  @Test func `nothing is to be watched before all tracks are known, and after the end`() throws {
    #expect(throws: LiveRefusal.notLive) { try live.join() }
    let receiver = live.begin([.video, .audio])
    receiver.offer(SampleTracks.video)
    #expect(throws: LiveRefusal.notLive) { try live.join() }
    receiver.offer(SampleTracks.audio)
    _ = try live.join()
    receiver.end()
    #expect(throws: LiveRefusal.notLive) { try live.join() }
  }

  /// What each viewer gets first.
  private func head() throws -> [UInt8] {
    guard case .bytes(let head) = try live.join().next() else { return [] }
    return head
  }

  private func words(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a viewer is told of the end, and that another head follows`() throws {
    var receiver = broadcast(pictures: 1)
    var viewer = try live.join()
    _ = viewer.read()
    receiver.end()
    #expect(words(viewer.read()).contains(#"{"code":"ended""#))
    #expect(viewer.next() == .over)

    receiver = broadcast(pictures: 1)
    viewer = try live.join()
    _ = viewer.read()
    let other = Track(
      codec: .aac, format: .audio(AudioFormat(sampleRate: 44_100, channels: 2)), headers: [0x12, 0x10],
      bitrate: 0)
    receiver.offer(other)
    #expect(words(viewer.read()).contains(#"{"code":"changed""#))
    _ = try live.join()
  }

  @Test func `the same track again changes nothing`() throws {
    let receiver = broadcast(pictures: 1)
    let viewer = try live.join()
    _ = viewer.read()
    receiver.offer(SampleTracks.video)
    receiver.offer(.picture(1))
    #expect(viewer.next() != .over && viewer.next() == .nothing)
  }

  @Test func `packets of an earlier broadcast are not mixed in`() throws {
    let former = broadcast(pictures: 1)
    let current = broadcast()
    former.offer(.picture(5, isKeyframe: true))
    former.end()
    let viewer = try live.join()
    _ = viewer.next()
    #expect(viewer.next() == .nothing)
    current.offer(.picture(0))
    #expect(viewer.next() != .nothing)
  }

  @Test func `a slow viewer is told of what it lost, and the figures count it`() throws {
    let receiver = broadcast(pictures: 1)
    let viewer = try live.join()
    _ = viewer.read()
    for number in Int64(1)..<75 { receiver.offer(.picture(number)) }
    #expect(live.figures.lag == MediaTime(ticks: 74, timescale: 30) - MediaTime(ticks: 1, timescale: 30))
    guard case .bytes(let message) = viewer.next() else {
      Issue.record("no message")
      return
    }
    #expect(words(message).contains("emsg"))
    #expect(words(message).contains("urn:holdfast:live\0skipped\0{\"pictures\":59,\"ms\":2000}"))
    #expect(try samples(head() + viewer.read())[0].first?.isKeyframe == true)
    #expect(live.figures.skips == 1 && live.figures.skippedPictures == 59)
    #expect(live.figures.lag == .zero)
  }

  @Test func `the number of viewers is limited, and who leaves makes room`() throws {
    let receiver = broadcast(pictures: 1)
    var viewers = try (0..<LivePackets.maxViewers).map { _ in try live.join() }
    #expect(throws: LiveRefusal.tooManyViewers) { try live.join() }
    #expect(live.figures.viewers == LivePackets.maxViewers)
    viewers.removeLast()
    _ = try live.join()
    receiver.end()
  }

  @Test func `nobody is woken for packets that nobody watches, nor for each of sound`() throws {
    let receiver = broadcast(pictures: 10)
    let before = wakes.withLock { $0 }
    receiver.offer(.sound(10))
    #expect(wakes.withLock { $0 } == before)
    let viewer = try live.join()
    for number in Int64(15)..<35 { receiver.offer(.sound(number)) }
    // 20 packets are 427 ms.
    #expect((6...10).contains(wakes.withLock { $0 } - before))
    receiver.offer(.picture(10))
    receiver.offer(.picture(11))
    #expect(wakes.withLock { $0 } - before >= 8)
    _ = viewer.next()
  }
}
