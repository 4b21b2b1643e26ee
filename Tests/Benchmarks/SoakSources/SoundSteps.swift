import Foundation
import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// The loudest steps in the sound of a recording: at its joints, and elsewhere.
///
/// The curvature (second difference) of a tone changes its sign only where it is small. At a step between two samples it is
/// as large as the step, with one sign before it and the other behind, whatever tones meet there. So the smaller one of
/// two neighbouring curvatures with different signs is the height of a step; a bend alone, where a beep begins, is none.
/// What coding makes of the beeps' own edges is left out.
struct SoundSteps {
  /// Full scale is 1.
  private(set) var atJoints = 0.0
  private(set) var elsewhere = 0.0
  private(set) var loudestAt = 0.0
  let joints: Int

  /// Around a joint: it fades, and its coding spreads.
  private static let tolerance = 0.08
  /// A beep's own edges, with the offset of sound and picture.
  private static let edge = 0.03
  /// A decoder fades in, and the end is cut.
  private static let margin = 0.05

  init(path: String, joints: [Double], edges: [Double]) throws {
    self.joints = joints.count
    var reader = try SoundReader(path: path)
    let (channels, rate) = (reader.format.channels, Double(reader.format.sampleRate))
    var samples: [Double] = []
    while let block = try reader.next() {
      samples += stride(from: 0, to: block.samples.count, by: channels).map { Double(block.samples[$0]) }
    }
    guard samples.count > 3 else { throw TestFailure("\(path) has no sound") }
    let sorted = joints.sorted()
    var (next, edge) = (0, 0)
    for index in 2..<samples.count - 1 {
      let at = Double(index) / rate
      guard at > Self.margin, at < Double(samples.count) / rate - Self.margin else { continue }
      let before = samples[index] - 2 * samples[index - 1] + samples[index - 2]
      let behind = samples[index + 1] - 2 * samples[index] + samples[index - 1]
      guard before * behind < 0 else { continue }
      let step = min(abs(before), abs(behind))
      while edge < edges.count, edges[edge] + Self.edge < at { edge += 1 }
      if edge < edges.count, abs(edges[edge] - at) <= Self.edge { continue }
      while next < sorted.count, sorted[next] + Self.tolerance < at { next += 1 }
      if next < sorted.count, abs(sorted[next] - at) <= Self.tolerance {
        if step > atJoints { (atJoints, loudestAt) = (step, at) }
      } else {
        elsewhere = max(elsewhere, step)
      }
    }
  }

  static func decibels(_ value: Double) -> Double { 20 * log10(max(value, 1e-6)) }

  /// Where beeps begin and end, by the marks of the pictures beside them, in seconds of the recording.
  static func edges(_ pictures: [MarkedPicture]) -> [Double] {
    let read = pictures.compactMap { picture in
      picture.mark.map { (at: picture.time.seconds, captured: $0.captureTime.seconds) }
    }
    var edges: [Double] = []
    for (last, next) in zip(read, read.dropFirst()) {
      // Across a joint, sound may belong to either side.
      for near in [last, next] {
        let shift = near.captured - near.at
        for second in Int(last.at + shift) - 1...Int(next.at + shift) + 1 {
          for at in [Double(second) - shift, Double(second) + 0.1 - shift]
          where at >= last.at - edge && at <= next.at + edge {
            edges.append(at)
          }
        }
      }
    }
    return edges.sorted()
  }
}
