import HoldfastFFmpeg
import HoldfastMediaModel

/// The tracks of a typical broadcast: a grey picture and silence.
final class SampleMedia {
  let tracks: [Track]
  private var video: VideoEncoder
  private var audio: AudioEncoder
  private let picture: Frame
  private var pictures: Int64 = 0

  private static let (rate, sampleRate) = (30, 48_000)

  init() throws(FFmpegError) {
    let size = PictureSize(width: 640, height: 360)
    let format = VideoFormat(size: size, frameRate: .thirty)
    let video = try VideoEncoder(
      .software,
      VideoEncoder.Settings(
        codec: .h264, format: format, bitrate: 1_000_000, keyframeInterval: .seconds(2)),
      source: .yuv420p)
    let sound = AudioFormat(sampleRate: Self.sampleRate, channels: 2)
    let audio = try AudioEncoder(.aac, format: sound, bitrate: 128_000)
    tracks = [video.track, audio.track].compactMap { $0 }
    picture = try Frame(size: size, format: video.pixelFormat)
    for plane in 0..<3 {
      picture.withPlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: 128) }
    }
    self.video = video
    self.audio = audio
  }

  /// The time of the next picture.
  var time: MediaTime { MediaTime(ticks: pictures, timescale: Self.rate) }

  /// The next picture with about `filler` more bytes, which decoders ignore, and its sound.
  func next(filler: Int) throws(FFmpegError) -> [MediaPacket] {
    let filler = filler > 0 ? Self.fillerUnit(of: filler) : []
    let encoded = try video.encode(try picture.reference(), at: time).map { packet in
      MediaPacket(
        track: .video, decodeTime: packet.decodeTime, presentationTime: packet.presentationTime,
        duration: packet.duration, isKeyframe: packet.isKeyframe, bytes: packet.bytes + filler)
    }
    pictures += 1
    let samples = [Float](repeating: 0, count: Self.sampleRate / Self.rate * 2)
    return encoded + (try audio.encode(samples))
  }

  /// A NAL unit of filler data (H.264, 7.3.2.7), with its length.
  private static func fillerUnit(of count: Int) -> [UInt8] {
    let length = withUnsafeBytes(of: UInt32(count + 2).bigEndian) { Array($0) }
    return length + [12] + [UInt8](repeating: 0xFF, count: count) + [0x80]
  }
}
