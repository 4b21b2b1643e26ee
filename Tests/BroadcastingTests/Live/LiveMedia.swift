import HoldfastMediaModel

@testable import HoldfastBroadcasting

extension MediaPacket {
  /// One of 30 a second; each of them begins with a keyframe.
  static func picture(_ number: Int64, isKeyframe: Bool? = nil) -> MediaPacket {
    let time = MediaTime(ticks: number, timescale: 30)
    let isKeyframe = isKeyframe ?? (number % 30 == 0)
    return MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: MediaTime(ticks: 1, timescale: 30),
      isKeyframe: isKeyframe,
      bytes: [0, 0, 0, 2, isKeyframe ? 0x65 : 0x41, UInt8(truncatingIfNeeded: number)])
  }

  static func sound(_ number: Int64) -> MediaPacket {
    let time = MediaTime(ticks: number * 1024, timescale: 48_000)
    return MediaPacket(
      track: .audio, decodeTime: time, presentationTime: time,
      duration: MediaTime(ticks: 1024, timescale: 48_000), isKeyframe: true, bytes: [0x21, 7])
  }
}

extension LiveViewer {
  /// All that there is for it by now.
  func read() -> [UInt8] {
    var all: [UInt8] = []
    while case .bytes(let bytes) = next() { all += bytes }
    return all
  }
}
