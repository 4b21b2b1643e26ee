package import HoldfastMediaModel

/// A gap in a recording, and its place in an export.
package struct ExportGap: Hashable, Sendable {
  /// The journaled cause, or `unknown`.
  package let cause: String
  /// Nil if unknown.
  package let length: MediaTime?
  package let wall: WallTime?
  /// Where media resumes, on the parts' common timeline.
  let at: MediaTime
  /// Empty time before `at` on that timeline.
  let hole: MediaTime
  /// Media time advanced, and a slate, silence or frozen picture fills the gap.
  let isCovered: Bool

  static let unknown = "unknown"

  /// `10:42:07 after device, 3.2 s`
  package var title: String {
    let clock = wall.map { $0.rfc3339.dropFirst(11).prefix(8) + " " } ?? ""
    return clock + "after " + cause + (length.map { ", " + Self.formatted($0) } ?? "")
  }

  private static func formatted(_ length: MediaTime) -> String {
    guard length >= .seconds(60) else {
      let tenths = Int((length.seconds * 10).rounded())
      return length < .milliseconds(100)
        ? "\(Int(length.milliseconds.rounded())) ms" : "\(tenths / 10).\(tenths % 10) s"
    }
    return String(length.description.dropLast(4))
  }

  /// Time to insert before `at` if gaps are kept.
  var added: MediaTime { isCovered ? .zero : max(.zero, (length ?? hole) - hole) }

  var isChapter: Bool { !isCovered || (length ?? .zero) >= .milliseconds(500) }
}
