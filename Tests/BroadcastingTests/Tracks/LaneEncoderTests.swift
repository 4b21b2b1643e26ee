import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastBroadcasting

@Suite struct LaneEncoderTests {
  private let format = VideoFormat(size: PictureSize(width: 320, height: 180), frameRate: .thirty)
  private let reports = Locked<[LaneEvent]>([])

  /// What was reported since the last call.
  private func takeReports() -> [String] {
    let events = reports.withLock { events in
      defer { events = [] }
      return events
    }
    return events.map { event in
      switch event {
      case .note(let text): text
      case .bitrateChanged(let change): "\(change.bitsPerSecond): \(change.reason)"
      default: "\(event)"
      }
    }
  }

  /// Encodes a second of pictures from `second` on, while `waiting` others wait.
  private func run(_ encoder: inout LaneEncoder, second: Int, waiting: Int) throws -> [MediaPacket] {
    var packets: [MediaPacket] = []
    for number in second * 30..<(second + 1) * 30 {
      let time = FrameRate.thirty.time(ofFrame: Int64(number))
      let now = MonotonicTime(nanoseconds: 0) + time
      packets += try encoder.adapt(waiting: waiting, dropped: 0, isKeyframe: false, at: now)
      packets += try encoder.encode(
        Frame(size: format.size, format: .yuv420p), at: time, isKeyframeForced: false)
    }
    return packets
  }

  @Test
  func `an overload makes the encoder faster, then halves the bitrate, and both return, within one track`()
    throws
  {
    let software = try VideoEncoder(
      .software,
      VideoEncoder.Settings(codec: .h264, format: format, bitrate: 500_000, keyframeInterval: .seconds(60)),
      source: .yuv420p)
    let destination = try LaneDestination(noting: reports)
    var encoder = LaneEncoder(software, .h264, bitrate: 500_000, destination: destination)
    let track = encoder.track
    var packets: [MediaPacket] = []
    for second in 0..<4 { packets += try run(&encoder, second: second, waiting: 8) }
    #expect(
      takeReports() == [
        "video: the machine is overloaded; preset superfast instead of veryfast",
        "video: the machine is overloaded; preset ultrafast instead of veryfast", "250000: overload",
      ])
    encoder.setBitrate(BitrateChange(bitsPerSecond: 400_000, reason: "slow"))
    #expect(takeReports() == ["200000: slow"])
    for second in 4..<40 { packets += try run(&encoder, second: second, waiting: 0) }
    #expect(
      takeReports() == [
        "400000: the machine keeps up again",
        "video: the machine keeps up again; preset superfast instead of veryfast",
        "video: the machine keeps up again; preset veryfast",
      ])
    packets += try encoder.finish()
    let last = encoder.track
    #expect(last == track)
    // One when each speed begins.
    #expect(packets.count { $0.isKeyframe } == 5)
    #expect(packets.map(\.decodeTime) == (0..<1200).map { FrameRate.thirty.time(ofFrame: $0) })
  }
}
