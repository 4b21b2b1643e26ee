import HoldfastPlatform

/// The name of a recording's file: `NAME-20261121T042210Z.mp4`, or `NAME-20261121T042210Z-2.mp4` for a
/// further part.
package struct RecordingName: Hashable, Sendable {
  package let broadcaster: String
  /// When the recording began, as in the file name.
  package let stamp: String
  package let part: Int

  private static let end = ".mp4"

  /// Nil for any other file. The broadcaster's name may contain dashes: `cam-2` is not `cam`.
  package init?(_ file: String) {
    guard file.hasSuffix(Self.end) else { return nil }
    var pieces = file.dropLast(Self.end.count).split(separator: "-", omittingEmptySubsequences: false)
    var part = 1
    if let last = pieces.last, let number = Int(last) {
      // The first part has no number.
      guard (2..<1_000_000_000).contains(number), "\(number)" == last else { return nil }
      part = number
      pieces.removeLast()
    }
    guard let stamp = pieces.popLast(), Self.isStamp(stamp.utf8) else { return nil }
    broadcaster = pieces.joined(separator: "-")
    self.stamp = String(stamp)
    self.part = part
    if broadcaster.isEmpty { return nil }
  }

  /// Nil for a file of another broadcaster.
  package init?(_ file: String, of broadcaster: String) {
    self.init(file)
    guard self.broadcaster.utf8.elementsEqual(broadcaster.utf8) else { return nil }
  }

  private static func isStamp(_ text: Substring.UTF8View) -> Bool {
    text.count == 16
      && zip(text, "00000000T000000Z".utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
      }
  }

  // MARK: - Further parts

  /// Path of the part after the recording at `path`; nil if `path` has no recording's name.
  package static func nextPart(of path: String) -> String? {
    RecordingName(fileName(of: path)).map { part(of: path, $0.part + 1) }
  }

  /// Path of the first further part that does not exist yet; never that of a part which has disappeared.
  package static func freePart(of path: String) -> String {
    let next = (RecordingName(fileName(of: path))?.part ?? 1) + 1
    let paths = (next...Int.max).lazy.map { part(of: path, $0) }
    return paths.first { !isTaken($0) } ?? path
  }

  private static func part(of path: String, _ number: Int) -> String {
    var stem = path.hasSuffix(end) ? path.dropLast(end.count) : path[...]
    if let name = RecordingName(fileName(of: path)), name.part > 1 {
      stem = stem.dropLast("-\(name.part)".count)
    }
    return "\(stem)-\(number)\(end)"
  }

  // MARK: - Repaired recordings

  /// `NAME-repaired.mp4`
  static func repaired(_ path: String) -> String {
    "\(path.hasSuffix(end) ? path.dropLast(end.count) : path[...])\(repairedEnd)"
  }

  /// The file name before a repair.
  package static func original(of file: String) -> String {
    file.hasSuffix(repairedEnd) ? file.dropLast(repairedEnd.count) + end : file
  }

  private static let repairedEnd = "-repaired.mp4"
}

package func fileName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
