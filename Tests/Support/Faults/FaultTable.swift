import HoldfastMediaModel

package struct FaultTable {
  private let rows: [[String]]

  private static let head = [
    "fault", "publisher", "noticed", "outage", "media", "live", "latest", "missing", "beyond", "others",
    "own", "states (cause)",
  ]

  package init(_ measured: [Measured]) {
    rows = measured.map { one in
      [one.fault.traits.title, one.subject, Self.figure(one.noticed)] + Self.figures(one) + [
        "\(one.lostElsewhere)", "\(one.lostLocally)", Self.words(one),
      ]
    }
  }

  private static func figures(_ one: Measured) -> [String] {
    guard !one.fault.isForGood else { return Array(repeating: "-", count: 6) }
    return [one.outage, one.firstMedia, one.live, one.latest, one.missing, one.missingBeyondOutage].map(
      figure)
  }

  package static let legend = """
    noticed: seconds until the publisher said something of it; outage: how long it lasted
    media, live: from its end until the server had a picture that can be decoded, and one taken after the end
    latest: how late a picture came at most; missing: pictures the server never got, in seconds; beyond: the outage
    others, own: pictures missing at a second server and in the publisher's own recording
    """

  private static func words(_ one: Measured) -> String {
    var states = one.states.prefix(5).joined(separator: " → ")
    if one.states.count > 5 { states += " → …" }
    if one.fault.isForGood {
      states += one.media == nil ? ", \(one.attempts) attempts" : "on air all the same"
    }
    return states + (one.cause.map { " (\($0))" } ?? "")
  }

  static func figure(_ length: MediaTime?) -> String {
    guard let length else { return "never" }
    let hundredths = Int((length.seconds * 100).rounded())
    let rest = "\(abs(hundredths) % 100)"
    return "\(hundredths / 100)." + (rest.count < 2 ? "0" : "") + rest
  }

  package var text: String {
    let all = [Self.head] + rows
    let widths = Self.head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return cells.dropLast().joined(separator: "  ") + "  " + (row.last ?? "")
    }.joined(separator: "\n")
  }
}
