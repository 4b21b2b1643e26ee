import Foundation
package import HoldfastMediaModel

/// The decode times of a file's packets, read by ffprobe.
package struct PacketTimes: Sendable {
  package struct Track: Hashable, Sendable {
    package let packets: Int
    /// Packets whose decode time is not later than that of the previous packet.
    package let stepsBack: [String]
    /// The longest step between two packets, in milliseconds.
    package let longestStep: Double
    /// In seconds from the start of the earlier track.
    let start: Double
    /// When the last packet is to be decoded, in seconds.
    package let last: Double

    fileprivate init(_ times: [Double], from start: Double) {
      let steps = zip(times, times.dropFirst()).map { $1 - $0 }
      packets = times.count
      stepsBack = zip(times, times.dropFirst()).filter { $0 >= $1 }.map { "\($0) to \($1)" }
      longestStep = (steps.max() ?? 0) * 1000
      self.start = (times.first ?? start) - start
      last = times.last ?? start
    }
  }

  package let tracks: [TrackKind: Track]

  package init(path: String) throws {
    var times: [TrackKind: [Double]] = [:]
    for words in try Tool.probe(path, "packet=codec_type,dts_time") {
      guard words.count >= 2, let kind = TrackKind(rawValue: String(words[0])), let time = Double(words[1])
      else { continue }
      times[kind, default: []].append(time)
    }
    let start = times.values.compactMap(\.first).min() ?? 0
    tracks = times.mapValues { Track($0, from: start) }
  }

  package var stepsBack: [String] {
    tracks.flatMap { kind, track in track.stepsBack.map { "\(kind.rawValue) \($0)" } }
  }

  package var isMonotone: Bool { stepsBack.isEmpty }
  var starts: [TrackKind: Double] { tracks.mapValues(\.start) }
}
