import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastPublishing

extension MonotonicTime {
  /// An instant of a test whose clock begins at 0.
  static func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }
}

/// Packets of a made-up broadcast: 30 pictures a second, a keyframe each second, sound of 20 ms.
enum SamplePackets {
  /// Other headers for the pictures.
  static let otherVideo = Track(
    codec: .h264, format: SampleTracks.video.format, headers: [1, 77, 0, 31], bitrate: 0)
  static let otherAudio = Track(
    codec: .aac, format: SampleTracks.audio.format, headers: [0x12, 0x10], bitrate: 0)

  static func picture(_ number: Int, isKeyframe: Bool? = nil, size: Int = 1000) -> MediaPacket {
    let time = MediaTime(ticks: Int64(number), timescale: 30)
    return MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: MediaTime(ticks: 1, timescale: 30),
      isKeyframe: isKeyframe ?? (number % 30 == 0), bytes: Array(repeating: 0, count: size))
  }

  static func sound(_ number: Int) -> MediaPacket {
    let time = MediaTime(ticks: Int64(number), timescale: 50)
    return MediaPacket(
      track: .audio, decodeTime: time, presentationTime: time, duration: .milliseconds(20), isKeyframe: true,
      bytes: Array(repeating: 1, count: 100))
  }
}

extension SendQueue {
  /// A queue that has begun, and keeps everything.
  static func begun(_ limits: SendQueue.Limits = .init(), hasVideo: Bool = true) throws -> SendQueue {
    let queue = SendQueue(limits: limits, hasVideo: hasVideo, wakeup: try Wakeup())
    _ = queue.begin(isFresh: false, maxAge: .zero)
    return queue
  }

  func offer(_ packets: MediaPacket...) { for packet in packets { offer(packet) } }
}
