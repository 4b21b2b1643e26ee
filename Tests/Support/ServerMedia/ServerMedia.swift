internal import Foundation
internal import HoldfastFFmpeg
package import HoldfastMarks
package import HoldfastMediaModel

/// What a server has of a broadcast: read from the file it wrote, by FFmpeg.
package struct ServerMedia: Sendable {
  /// A picture that could be decoded and says which one it is.
  package struct Picture: Hashable, Sendable {
    package let number: UInt32
    /// On the clock of `arrival`, where the test picture itself was published.
    package let captureTime: MonotonicTime
    /// When the server had written it; nil where nobody watched.
    package let arrival: MonotonicTime?
  }

  package let pictures: [Picture]
  package let report: MarkReport
  package let audioSeconds: Double
  /// Decode times rise from packet to packet, in each track.
  package var isMonotone: Bool { stepsBack.isEmpty }
  /// Where they don't, in seconds.
  package let stepsBack: [String]
  /// When the first packet of each track is due, the earlier one being at 0.
  package let trackStarts: [TrackKind: Double]

  /// `tags` are what an `FLVTail` saw while the file was written.
  package init(path: String, tags: [RecordedTag] = []) throws {
    let marks = try RecordingMarks(path: path)
    report = marks.report
    audioSeconds = marks.audioSeconds
    missingPictures = marks.missingPictures
    let arrivals = Arrivals(tags)
    pictures = marks.pictures.compactMap { picture in
      picture.mark.map {
        Picture(number: $0.number, captureTime: $0.captureTime, arrival: arrivals.at(picture.time))
      }
    }
    let times = try PacketTimes(path: path)
    stepsBack = times.stepsBack
    trackStarts = times.starts
  }

  /// Both picture and sound are there from the first second on.
  package var hasBothTracksFromTheStart: Bool {
    TrackKind.allCases.allSatisfy { trackStarts[$0].map { $0 < 1 } ?? false }
  }

  /// Pictures between the first and the last that are not there, or not decodable.
  package let missingPictures: Int
}

/// When the packet of a presentation time arrived.
private struct Arrivals {
  private let times: [(milliseconds: Double, arrival: MonotonicTime)]

  init(_ tags: [RecordedTag]) {
    let media = tags.filter { !$0.isHeader }
    let start = media.map(\.timestamp).min() ?? 0
    times = media.filter { $0.kind == .video }
      .map { (Double($0.timestamp - start), $0.arrival) }
      .sorted { $0.milliseconds < $1.milliseconds }
  }

  func at(_ time: MediaTime) -> MonotonicTime? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle].milliseconds < time.milliseconds - Self.rounding {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < times.count, times[low].milliseconds <= time.milliseconds + Self.rounding else { return nil }
    return times[low].arrival
  }

  /// FLV counts in milliseconds, and a demuxer starts its own clock at the earlier track.
  private static let rounding = 12.0
}
