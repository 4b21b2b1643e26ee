import Foundation

package struct EventLines {
  package private(set) var lines: [[String: Any]] = []

  package init(_ text: String) throws { try append(text) }

  fileprivate init() {}

  fileprivate mutating func append(_ text: String) throws {
    for text in text.split(separator: "\n") {
      let line = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      // A gap that a process reported before it was killed, and the next one again, counts once.
      if line["repeated"] as? Bool == true, line["event"] as? String == "gap", has(line) { continue }
      lines.append(line)
    }
  }

  private func has(_ gap: [String: Any]) -> Bool {
    named("gap").contains { line in
      ["broadcast", "id"].allSatisfy { line[$0] as? String == gap[$0] as? String }
    }
  }

  /// The event names, each with its state if it has one: `recording open`.
  package var names: [String] {
    lines.map { line in [line["event"], line["state"]].compactMap { $0 as? String }.joined(separator: " ") }
  }

  package func named(_ name: String) -> [[String: Any]] { lines.filter { $0["event"] as? String == name } }

  /// The milliseconds of a track reported missing, for each gap line that names the track.
  package func lost(_ track: String, where isCounted: ([String: Any]) -> Bool = { _ in true }) -> [Double] {
    named("gap").filter(isCounted).compactMap { lostMs($0, track) }
  }

  /// The number of pictures reported missing, at 30 a second.
  package func lostPictures(where isCounted: ([String: Any]) -> Bool = { _ in true }) -> Double {
    lost("video", where: isCounted).reduce(0, +) * 30 / 1000
  }

  /// The gaps of `user`, an output or `recording`, and those that all have.
  package func gaps(of user: String) -> [[String: Any]] {
    named("gap").filter { [nil, user].contains($0["output"] as? String) }
  }

  package func lostPictures(of user: String) -> Double {
    lostPictures { [nil, user].contains($0["output"] as? String) }.rounded()
  }

  /// Whether a machine without processor time makes such gaps.
  package static func isLateness(_ gap: [String: Any]) -> Bool {
    ["encoderTooSlow", "source"].contains(gap["cause"] as? String)
  }

  /// The pictures that a machine without time for them cost `user`.
  package func picturesTooLate(of user: String) -> Double {
    lostPictures { [nil, user].contains($0["output"] as? String) && Self.isLateness($0) }.rounded(.up)
  }

  package var uncapturedPictures: Int {
    Int(lostPictures { $0["output"] as? String == nil && $0["cause"] as? String != "user" }.rounded())
  }
}

/// The milliseconds of a track that a gap line reports missing; nil if it doesn't name the track.
package func lostMs(_ line: [String: Any], _ track: String) -> Double? {
  (line["lostMs"] as? [String: Double])?[track]
}

/// A growing file of event lines, each parsed once when it is complete.
struct EventLog {
  private var file: GrowingLines
  private var lines = EventLines()

  init(path: String) { file = GrowingLines(path: path) }

  /// Reads the lines added since the last call; returns all lines so far.
  mutating func read() -> EventLines {
    for line in file.next() { try? lines.append(line) }
    return lines
  }
}
