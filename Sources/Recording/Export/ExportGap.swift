package import HoldfastMediaModel

/// A stretch that is missing from a recording, and where it lies in an export.
package struct ExportGap: Hashable, Sendable {
  /// As the journal calls it, or `unknown`.
  package let cause: String
  /// How much is missing; nil where nobody knows.
  package let length: MediaTime?
  /// When it went on.
  package let wall: WallTime?
  /// Where the media goes on, on the parts' common time line.
  let at: MediaTime
  /// How much of that time line before `at` is empty.
  let hole: MediaTime
  /// The time line went on and has something there: a slate, silence, or a picture that stands still.
  let isCovered: Bool

  static let unknown = "unknown"

  /// `10:42:07 after device, 3.2 s`
  package var title: String {
    let clock = wall.map { $0.rfc3339.dropFirst(11).prefix(8) + " " } ?? ""
    return clock + "after " + cause + (length.map { ", " + Self.shown($0) } ?? "")
  }

  private static func shown(_ length: MediaTime) -> String {
    guard length >= .seconds(60) else {
      let tenths = Int((length.seconds * 10).rounded())
      return length < .milliseconds(100)
        ? "\(Int(length.milliseconds.rounded())) ms" : "\(tenths / 10).\(tenths % 10) s"
    }
    return String(length.description.dropLast(4))
  }

  /// How much longer than in its parts the time is before `at`, where the gap is kept.
  var added: MediaTime { isCovered ? .zero : max(.zero, (length ?? hole) - hole) }

  /// Long enough to be a place that somebody looks for.
  var isChapter: Bool { !isCovered || (length ?? .zero) >= .milliseconds(500) }
}
