package import HoldfastMediaModel

extension Session {
  /// A member's report of its sound, sent a few times a second while somebody speaks.
  package struct Sound: Hashable, Sendable {
    /// 0 to 127, for meters.
    package let level: Int
    package let scores: SpeechScores

    /// Whether it holds speech, which may make the member the speaker.
    package var isHeard: Bool { scores.medium > SpeechScores.least || scores.long > SpeechScores.least }

    package static let fields = ["level", "scores"]

    package init(level: Int, scores: SpeechScores) {
      self.level = level
      self.scores = scores
    }

    /// Nil for JSON that is no such report.
    package init?(_ json: JSONValue) {
      guard let level = json.field("level")?.integer, (0...127).contains(level),
        let scores = json.field("scores").flatMap({ SpeechScores($0) })
      else { return nil }
      self.init(level: Int(level), scores: scores)
    }

    package var json: JSONValue { ["level": .integer(Int64(level)), "scores": scores.json] }
  }
}
