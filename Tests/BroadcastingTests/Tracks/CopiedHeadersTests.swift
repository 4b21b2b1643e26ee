import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct CopiedHeadersTests {
  private static let start = MonotonicTime(nanoseconds: 0)

  private static func track(_ header: UInt8, _ codec: Codec = .h264) -> Track {
    Track(codec: codec, format: SampleTracks.video.format, headers: [1, header], bitrate: 0)
  }

  /// One that has sent a packet.
  private func begun() -> CopiedHeaders {
    var headers = CopiedHeaders(Self.track(0))
    #expect(headers.send(Self.track(0), at: Self.start) == false)
    return headers
  }

  @Test func `the same headers pass, whatever the bitrate says`() {
    var headers = begun()
    let same = Track(codec: .h264, format: Self.track(0).format, headers: [1, 0], bitrate: 7)
    #expect(headers.decide(same, at: Self.start) == .pass)
  }

  @Test(arguments: [track(1), track(0, .hevc)])
  func `other headers or another codec begin the track anew, once a packet is sent`(new: Track) {
    var headers = begun()
    #expect(headers.decide(new, at: Self.start) == .change)
    #expect(headers.track == Self.track(0), "nothing was sent")
    #expect(headers.send(new, at: Self.start) == true)
    #expect(headers.track == new && headers.decide(new, at: Self.start) == .pass)
  }

  @Test func `headers that are back before a packet was sent with the others change nothing`() {
    var headers = begun()
    let before = headers
    for second in 0..<100 as Range<Int64> {
      #expect(headers.decide(Self.track(1), at: Self.start + .seconds(second)) == .change)
      #expect(headers.decide(Self.track(0), at: Self.start + .seconds(second)) == .pass)
    }
    #expect(headers == before)
  }

  @Test func `the headers of the first packet cost nothing`() {
    var headers = CopiedHeaders(Self.track(0))
    #expect(headers.send(Self.track(1), at: Self.start) == true)
    for number in 2..<7 as Range<UInt8> { #expect(headers.send(Self.track(number), at: Self.start) == true) }
    #expect(headers.decide(Self.track(7), at: Self.start) != .change)
  }

  @Test func `a source that changes each second is followed five times in five minutes, and told so once`() {
    var headers = begun()
    var changes: [Int64] = []
    var told: [MonotonicTime] = []
    var passed = 0
    for second in 1...3600 as ClosedRange<Int64> {
      let (now, track) = (Self.start + .seconds(second), Self.track(UInt8(second % 2)))
      switch headers.decide(track, at: now) {
      case .pass: passed += 1
      case .change:
        #expect(headers.send(track, at: now) == true)
        changes.append(second)
      case .leaveOut(let until): if let until { told.append(until) }
      }
    }
    #expect(changes.count == 60 && changes.prefix(6) == [1, 2, 3, 4, 5, 302])
    #expect(told.count == 12 && told.first == Self.start + .seconds(301))
    #expect(passed > 1700, "what has the current headers goes on")
  }
}
