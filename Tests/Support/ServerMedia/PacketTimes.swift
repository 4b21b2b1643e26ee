internal import Foundation
internal import MediaModel

/// When the packets of a file are due to be decoded, as ffprobe says.
struct PacketTimes {
  let isMonotone: Bool
  /// Seconds; the earlier track's is 0.
  let starts: [TrackKind: Double]

  init(path: String) throws {
    let text = try Tool.run([
      "ffprobe", "-v", "error", "-show_entries", "packet=codec_type,dts_time", "-of", "csv=print_section=0",
      path,
    ])
    var times: [TrackKind: [Double]] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: ",")
      guard words.count >= 2, let kind = TrackKind(rawValue: String(words[0])), let time = Double(words[1])
      else { continue }
      times[kind, default: []].append(time)
    }
    isMonotone = times.values.allSatisfy { track in zip(track, track.dropFirst()).allSatisfy { $0 < $1 } }
    let start = times.values.compactMap(\.first).min() ?? 0
    starts = times.compactMapValues { track in track.first.map { $0 - start } }
  }
}
