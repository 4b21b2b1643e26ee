package import HoldfastMediaModel

/// A gap in a recording, and its place in an export.
package struct ExportGap: Hashable, Sendable {
  /// The journaled cause, or `unknown`.
  package let cause: String
  package let length: MediaTime
  package let wall: WallTime?
  /// Where media resumes, on the parts' common timeline.
  let at: MediaTime
  /// Empty time before `at` on that timeline.
  let hole: MediaTime
  /// What becomes of `hole` if gaps are kept.
  let kept: MediaTime
  /// Media time advanced, and a slate, silence or frozen picture fills the gap.
  let isCovered: Bool

  static let unknown = "unknown"

  /// `10:42:07 Interrupted by the user for 3.2 s`
  package var title: String {
    let clock = wall.map { $0.rfc3339.dropFirst(11).prefix(8) + " " } ?? ""
    let (what, isPeriod) = Self.description(of: cause)
    return clock + what
      + (isPeriod ? " for \(Self.formatted(length))" : ": \(Self.formatted(length)) missing")
  }

  private static func description(of cause: String) -> (what: String, isPeriod: Bool) {
    switch Gap.Cause(rawValue: cause) {
    case .user: ("Interrupted by the user", true)
    case .system: ("Interrupted by the system", true)
    case .device: ("Device lost", true)
    case .deviceBusy: ("Device busy", true)
    case .network: ("Network lost", true)
    case .crash: ("Crash", false)
    case .worker: ("Programme without a worker", true)
    case .source: ("Lost by the source", false)
    case .xrun: ("Sound card overrun", false)
    case .encoderTooSlow: ("Encoder too slow", false)
    case .diskTooSlow: ("Disk too slow", false)
    case .disk: ("Disk full", false)
    case .diskFailed: ("Disk failed", false)
    case .fileGone: ("Recording file removed", false)
    case nil: (cause == unknown ? "Unknown cause" : cause, false)
    }
  }

  private static func formatted(_ length: MediaTime) -> String {
    guard length >= .seconds(60) else {
      let tenths = Int((length.seconds * 10).rounded())
      return length < .milliseconds(100)
        ? "\(Int(length.milliseconds.rounded())) ms" : "\(tenths / 10).\(tenths % 10) s"
    }
    return String(length.description.dropLast(4))
  }

  /// Time to insert before `at` if gaps are kept; negative if less is kept than the hole.
  var added: MediaTime { isCovered ? .zero : kept - hole }

  var isChapter: Bool { !isCovered || length >= .milliseconds(500) }
}
