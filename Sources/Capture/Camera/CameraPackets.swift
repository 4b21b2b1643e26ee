package import HoldfastMediaModel
package import HoldfastPlatform

/// A camera that encodes to H.264 by itself; its packets are passed on as they are.
package final class CameraPackets: PacketSource {
  package let track: Track
  private let stream: V4L2Stream

  /// Opens the camera and lets it run until it has told what a receiver has to know, 3 s at most.
  package init(path: String, wanted: VideoFormat) throws(CaptureError) {
    stream = try V4L2Stream.open(path: path, wanted: wanted, forCopy: true)
    var opening = CameraH264Opening()
    var headers: [UInt8] = []
    try stream.runBriefly { picture in
      guard let record = opening.take(Array(picture.bytes)) else { return false }
      headers = record
      return true
    }
    track = Track(codec: .h264, format: .video(stream.format), headers: headers, bitrate: 0)
  }

  package var summary: String { stream.summary }

  /// Begins with a keyframe.
  package func run(until stop: Wakeup, deliver: (MediaPacket, _ lostBefore: Int) -> Void)
    throws(CaptureError)
  {
    var hasBegun = false
    try stream.run(until: stop) { picture, lostBefore in
      let bytes = Array(picture.bytes)
      let isKeyframe = AVCConfiguration.isKeyframe(annexB: bytes.span)
      hasBegun = hasBegun || isKeyframe
      let units = NALUnits.lengthPrefixed(annexB: bytes.span, keep: AVCConfiguration.belongsInPackets)
      guard hasBegun, !units.isEmpty else { return .used }
      let time = picture.captureTime - MonotonicTime(nanoseconds: 0)
      deliver(
        MediaPacket(
          track: .video, decodeTime: time, presentationTime: time, duration: stream.frameRate.frameDuration,
          isKeyframe: isKeyframe, bytes: units), lostBefore)
      return .used
    }
  }
}
