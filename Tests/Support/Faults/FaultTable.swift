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
    length.map { TestSupport.figure($0.seconds, 2) } ?? "never"
  }

  package var text: String { aligned([Self.head] + rows) }
}
