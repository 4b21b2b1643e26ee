import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastPublishing

/// Encoded picture and sound, as an encoder of the broadcast would hand it over.
struct EncodedMedia {
  let tracks: [Track]
  /// In the order of their decode times.
  let packets: [MediaPacket]
  private let length: MediaTime
}

extension EncodedMedia {
  var pictures: Int { packets.filter { $0.track == .video }.count }
  var sounds: Int { packets.count - pictures }

  /// Two seconds of a test picture with a keyframe each second, and a tone.
  init(video: String, audio: String, bitrate: String = "600k", reordered: Int = 2, seconds: Int64 = 2) throws
  {
    let folder = ScratchFolder()
    let path = folder.file("media.mp4")
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30", "-f", "lavfi", "-i",
      "sine=sample_rate=48000", "-t", "\(seconds)", "-pix_fmt", "yuv420p", "-c:v", video, "-preset",
      "ultrafast", "-g", "30", "-b:v", bitrate, "-bf", "\(reordered)", "-x265-params",
      "log-level=none:keyint=30:bframes=\(reordered)", "-c:a", audio, "-b:a", "96k", "-ac", "2", "-strict",
      "experimental", path,
    ])
    let file = try EncodedFile(path)
    (tracks, packets, length) = (file.tracks, file.packets, .seconds(seconds))
  }

  static let usual = Result { try EncodedMedia(video: "libx264", audio: "aac") }
  /// Its pictures are shown in the order in which they are sent.
  static let inOrder = Result { try EncodedMedia(video: "libx264", audio: "aac", reordered: 0, seconds: 3) }

  /// With a last picture that is `count` bytes of filler larger (H.264, 7.3.2.7).
  func enlargingLastPicture(by count: Int) -> EncodedMedia {
    var packets = packets
    if let last = packets.lastIndex(where: { $0.track == .video }) {
      let unit = withUnsafeBytes(of: UInt32(count + 2).bigEndian) { Array($0) } + [12]
      let packet = packets[last]
      packets[last] = MediaPacket(
        track: .video, decodeTime: packet.decodeTime, presentationTime: packet.presentationTime,
        duration: packet.duration, isKeyframe: packet.isKeyframe,
        bytes: packet.bytes + unit + [UInt8](repeating: 0xFF, count: count) + [0x80])
    }
    return EncodedMedia(tracks: tracks, packets: packets, length: length)
  }

  /// Three seconds whose pictures are from two encoders with different headers: the middle one is from the second.
  static func changingHeaders(video: String) throws -> EncodedMedia {
    let media = try EncodedMedia(video: video, audio: "aac", reordered: 0, seconds: 1).looped(3)
    guard case .video(let format) = media.tracks[0].format else { throw CocoaError(.coderValueNotFound) }
    var encoder = try VideoEncoder(
      .software,
      VideoEncoder.Settings(
        codec: media.tracks[0].codec, format: format, bitrate: 200_000, keyframeInterval: .seconds(1)),
      source: .yuv420p)
    let packets = try media.packets.map { packet in
      let isReplaced = packet.decodeTime >= .seconds(1) && packet.decodeTime < .seconds(2)
      guard packet.track == .video, isReplaced else { return packet }
      return try encoder.encode(
        movingPicture(format, at: packet.presentationTime), at: packet.presentationTime)[0]
    }
    return EncodedMedia(tracks: media.tracks, packets: packets, length: media.length)
  }

  /// The checksums of its pictures, each decoded with the headers of its own encoder.
  func checksums() throws -> [String] {
    let folder = ScratchFolder()
    let path = folder.file("pictures.\(tracks[0].codec.rawValue)")
    var stream: [UInt8] = []
    for var packet in packets where packet.track == .video {
      let headers = packet.headers.take() ?? tracks[0].headers
      let track = Track(codec: tracks[0].codec, format: tracks[0].format, headers: headers, bitrate: 0)
      var writer = AnnexBWriter(track)
      writer?.write(packet)
      stream += writer?.bytes ?? []
    }
    try Data(stream).write(to: URL(fileURLWithPath: path))
    return try Tool.decodedPictures(path)
  }

  private static func movingPicture(_ format: VideoFormat, at time: MediaTime) throws -> Frame {
    let frame = try Frame(size: format.size, format: .yuv420p)
    let shift = Int(time.seconds * 90)
    frame.withPlane(0) { bytes, _ in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 7 / 5 + shift) }
    }
    return frame
  }

  /// The same again, `count` times in a row.
  func looped(_ count: Int) -> EncodedMedia {
    var all: [MediaPacket] = []
    for round in 0..<count {
      let offset = MediaTime(nanoseconds: length.nanoseconds * Int64(round))
      all += packets.map { packet in
        var packet = packet
        packet.decodeTime += offset
        packet.presentationTime += offset
        return packet
      }
    }
    return EncodedMedia(
      tracks: tracks, packets: all.sorted { $0.decodeTime < $1.decodeTime },
      length: MediaTime(nanoseconds: length.nanoseconds * Int64(count)))
  }
}

extension ServerSink {
  /// Sends as fast as the server takes it, for `time` or until `isDone`.
  func send(_ media: EncodedMedia, for time: MediaTime, until isDone: () -> Bool = { false }) throws {
    let (end, wakeup) = (MonotonicTime.now + time, try Wakeup())
    var packets = media.packets[...]
    while .now < end, !isDone() {
      if backlog < 64 << 10, let packet = packets.popFirst() { try send(packet) }
      try exchange(until: .now + .milliseconds(2), wakeup: wakeup)
    }
  }
}
