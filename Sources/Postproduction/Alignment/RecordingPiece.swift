package import HoldfastMediaModel
import HoldfastRecording

/// A stretch of a recording's file in which the file's time runs in step with the clock.
package struct RecordingPiece: Hashable, Sendable {
  /// Why the file's time stood still before a piece.
  package struct Standstill: Hashable, Sendable {
    /// As in event lines, or `sleep`.
    package let cause: String
    /// By the clock, which may have gone back; time that passed in the file is not counted.
    package let length: MediaTime
  }

  /// Time in the file.
  package let file: Range<MediaTime>
  /// When its beginning was captured; the end of the last piece, if a clock that went back says an earlier time.
  package let wall: WallTime
  /// Nil for the first piece.
  package let standstill: Standstill?

  package var length: MediaTime { file.upperBound - file.lowerBound }
  package var wallEnd: WallTime { wall + length }

  /// Pieces whose clock differs by less are one.
  private static let tolerance = MediaTime.milliseconds(5)

  /// The pieces of a file that ends at `end`. Interruptions that the file keeps divide nothing.
  static func all(
    of timeline: WallTimeline, _ clocks: BootClocks, in place: MediaPlacement, until end: MediaTime
  ) -> [RecordingPiece] {
    var pieces: [RecordingPiece] = []
    for (index, run) in timeline.runs.enumerated() {
      let next = index + 1 < timeline.runs.count ? timeline.runs[index + 1].media : nil
      let from = index == 0 ? place.origin : max(run.media, place.origin)
      if let next, next <= from { continue }
      guard place.contains(from) else { break }
      let start = max(.zero, place.time(of: from, isStart: true))
      let stop = next.flatMap { place.contains($0) ? min(end, place.time(of: $0)) : nil } ?? end
      guard start < stop, let wall = timeline.wall(of: from, clocks) else { continue }
      add(start..<stop, at: wall, after: run.cause, to: &pieces)
    }
    return pieces
  }

  private static func add(
    _ file: Range<MediaTime>, at wall: WallTime, after cause: String?, to pieces: inout [RecordingPiece]
  ) {
    guard let last = pieces.last else {
      pieces.append(RecordingPiece(file: file, wall: wall, standstill: nil))
      return
    }
    let difference = wall - (last.wall + (file.lowerBound - last.file.lowerBound))
    if max(difference, .zero - difference) < tolerance {
      pieces[pieces.count - 1] = RecordingPiece(
        file: last.file.lowerBound..<file.upperBound, wall: last.wall, standstill: last.standstill)
      return
    }
    let standstill = Standstill(cause: cause ?? Interruption.crash, length: wall - last.wallEnd)
    pieces.append(RecordingPiece(file: file, wall: max(wall, last.wallEnd), standstill: standstill))
  }
}
