import Foundation
import HoldfastFFmpeg
package import HoldfastMarks
package import HoldfastMediaModel

/// A broadcast's media as recorded by a server, decoded by FFmpeg.
package struct ServerMedia: Sendable {
  /// A decodable picture with a readable mark.
  package struct Picture: Hashable, Sendable {
    package let number: UInt32
    /// On the clock of `arrival` if the publisher was the test picture.
    package let captureTime: MonotonicTime
    /// When the server wrote it; nil if the file was not watched.
    package let arrival: MonotonicTime?
  }

  package let pictures: [Picture]
  package let report: MarkReport
  package let audioSeconds: Double
  /// Decode times increase strictly in each track.
  package var isMonotone: Bool { stepsBack.isEmpty }
  package let stepsBack: [String]
  /// The first decode time of each track, relative to the earlier track.
  package let trackStarts: [TrackKind: Double]

  /// `tags` come from an `FLVTail` that watched the file.
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

  package var hasBothTracksFromTheStart: Bool {
    TrackKind.allCases.allSatisfy { trackStarts[$0].map { $0 < 1 } ?? false }
  }

  package var isFaultless: Bool { isMonotone && hasBothTracksFromTheStart && report.isFaultless }

  /// Pictures between the first and the last that are missing or undecodable.
  package let missingPictures: Int
}

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
    let index = times.partitioningIndex { $0.milliseconds >= time.milliseconds - Self.rounding }
    guard index < times.count, times[index].milliseconds <= time.milliseconds + Self.rounding else {
      return nil
    }
    return times[index].arrival
  }

  /// Allows for FLV's millisecond timestamps and for demuxers that start at the earlier track.
  private static let rounding = 12.0
}
