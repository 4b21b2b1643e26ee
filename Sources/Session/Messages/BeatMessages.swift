package import HoldfastMediaModel

extension Session {
  /// What a member says of itself, every few seconds and when it changes.
  package struct BeatRequest: Hashable, Sendable {
    package var report: Member.Report
    /// What others may see beside the rules: bitrate, losses, devices, disk. Nil: as before.
    package var statistics: JSONValue?

    /// Of `statistics`.
    package static let maxBytes = 4 * 1024

    package init(_ report: Member.Report, statistics: JSONValue? = nil) {
      self.report = report
      self.statistics = statistics
    }

    package var json: JSONValue {
      [
        "state": .text(report.condition.rawValue), "muted": JSONValue(report.muted),
        "lacks": JSONValue(report.lacking),
      ]
        // Hubs that know nothing of small pictures give no address for them either.
        + .compact([("small", .bool(report.givesSmall)), ("statistics", statistics ?? .null)])
    }
  }

  /// What a beat gives: the place anew, with what the member may have missed.
  package struct BeatAnswer: Hashable, Sendable {
    package let version: String
    package let place: MemberPlace

    package init(version: String, place: MemberPlace) {
      self.version = version
      self.place = place
    }

    package var json: JSONValue { ["version": .text(version)] + place.json }

    package init?(_ json: JSONValue) {
      guard let version = json.field("version")?.text, let place = MemberPlace(json) else { return nil }
      self.init(version: version, place: place)
    }
  }
}
