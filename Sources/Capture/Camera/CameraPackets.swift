package import HoldfastMediaModel
package import HoldfastMediaSources
package import HoldfastPlatform

package final class CameraPackets: PacketSource {
  package let track: Track
  private let stream: V4L2Stream

  /// Opens the camera and runs it for at most 3 s to obtain its headers.
  package init(path: String, requested: VideoFormat) throws(CaptureError) {
    stream = try V4L2Stream.open(path: path, requested: requested, forCopy: true)
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

  package func run(until stop: Wakeup, deliver: (SourcePacket) -> Void) throws(CaptureError) {
    var hasBegun = false
    try stream.run(until: stop) { picture, lostBefore in
      let bytes = Array(picture.bytes)
      let isKeyframe = AVCConfiguration.isKeyframe(annexB: bytes.span)
      hasBegun = hasBegun || isKeyframe
      let units = NALUnits.lengthPrefixed(annexB: bytes.span, keep: AVCConfiguration.belongsInPackets)
      guard hasBegun, !units.isEmpty else { return .used }
      let time = picture.captureTime - MonotonicTime(nanoseconds: 0)
      deliver(
        SourcePacket(
          MediaPacket(
            track: .video, decodeTime: time, presentationTime: time, duration: stream.frameRate.frameDuration,
            isKeyframe: isKeyframe, bytes: units), track, lostBefore: lostBefore))
      return .used
    }
  }
}

/// Collects parameter sets from any number of buffers, until an H.264 camera's first keyframe.
struct CameraH264Opening {
  private var parameterSets: [[UInt8]] = []

  /// The `avcC` record, once both parameter sets and a keyframe have arrived.
  mutating func take(_ annexB: [UInt8]) -> [UInt8]? {
    for unit in NALUnits.units(annexB: annexB.span) where !AVCConfiguration.belongsInPackets(unit[0]) {
      if !parameterSets.contains(unit) { parameterSets.append(unit) }
    }
    guard AVCConfiguration.isKeyframe(annexB: annexB.span) else { return nil }
    let stream: [UInt8] = parameterSets.flatMap { [0, 0, 0, 1] + $0 }
    return AVCConfiguration.record(annexB: stream.span)
  }
}
