internal import Foundation

/// The event lines of a run, read back.
package struct EventLines {
  package private(set) var lines: [[String: Any]] = []

  package init(_ text: String) throws {
    try append(text)
  }

  private init() {}

  /// Nothing was said.
  static var none: EventLines { EventLines() }

  mutating func append(_ text: String) throws {
    lines += try text.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// `event`, with its state where it has one: `recording open`.
  package var names: [String] {
    lines.map { line in
      [line["event"], line["state"]].compactMap { $0 as? String }.joined(separator: " ")
    }
  }

  /// Those of one kind.
  package func named(_ name: String) -> [[String: Any]] {
    lines.filter { $0["event"] as? String == name }
  }

  /// The milliseconds of a track that gap lines say are missing.
  package func lostMilliseconds(_ track: String) -> Double {
    named("gap").reduce(0) { $0 + (($1["lostMs"] as? [String: Double])?[track] ?? 0) }
  }
}
