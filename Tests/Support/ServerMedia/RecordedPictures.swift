package import HoldfastMediaModel

/// The pictures of a file, read by ffprobe without decoding.
package struct RecordedPictures: Sendable {
  package let size: PictureSize
  package let count: Int
  package let bitsPerSecond: Double
  /// Between the first and the last, at 30 a second.
  package let missing: Int
  /// From one keyframe to the next, in pictures.
  package let keyframeIntervals: [Int]

  /// Of what was to be decoded from `start` on, in seconds.
  package init(path: String, from start: Double = 0) throws {
    let stream = try Tool.probe(path).first { $0["codec_type"] == "video" } ?? [:]
    size = PictureSize(
      width: stream["width"].flatMap { Int($0) } ?? 0, height: stream["height"].flatMap { Int($0) } ?? 0)
    let lines = try Tool.probe(path, "packet=dts_time,size,flags", of: "v")
    let packets = lines.compactMap { words -> (time: Double, bytes: Int, isKey: Bool)? in
      guard words.count >= 3, let time = Double(words[0]), let bytes = Int(words[1]) else { return nil }
      return (time, bytes, words[2].contains("K"))
    }.filter { $0.time >= start }
    count = packets.count
    let seconds = (packets.last?.time ?? 0) - (packets.first?.time ?? 0)
    bitsPerSecond = seconds > 0 ? Double(packets.reduce(0) { $0 + $1.bytes }) * 8 / seconds : 0
    missing = zip(packets, packets.dropFirst()).reduce(0) { missing, pair in
      // A source that starts over makes a step of less than two pictures.
      missing + max(0, Int((pair.1.time - pair.0.time) * 30 + 0.25) - 1)
    }
    let keys = packets.indices.filter { packets[$0].isKey }
    keyframeIntervals = zip(keys, keys.dropFirst()).map { $1 - $0 }
  }

  /// The same interval between keyframes, up to those that the other file has more at its beginning.
  package func hasKeyframes(of other: RecordedPictures) -> Bool {
    keyframeIntervals.count > 1
      && other.keyframeIntervals.suffix(keyframeIntervals.count) == keyframeIntervals[...]
  }
}
