extension Session {
  /// Who speaks, of all whose scores are at hand.
  package enum SpeakerChoice {
    /// Nil if it stays as it is. `speaker` is who has spoken so far; without one, whoever speaks is.
    package static func change(from speaker: Member.ID?, _ scores: [Member.ID: SpeechScores]) -> Member.ID? {
      let own = speaker.map { scores[$0] ?? .silence } ?? .silence
      let loudest = scores.values.map(\.loudness).max() ?? SpeechScores.leastLoudness
      return scores.filter { id, challenger in
        id != speaker && challenger.exceeds(own) && challenger.loudness > loudest - crossTalk
      }.max { left, right in left.value.isLess(than: right.value, left.key.text, right.key.text) }?.key
    }

    /// A voice is at least so many dB quieter in other members' microphones.
    private static let crossTalk = 10.0
  }
}

extension Session.SpeechScores {
  /// By the logarithms C1 = 3, C2 = 2 and C3 = 0.
  fileprivate func exceeds(_ speaker: Self) -> Bool {
    immediate > speaker.immediate * 20.0855 && medium > speaker.medium * 7.3891 && long > speaker.long
  }

  /// The largest medium ratio wins; then the one that has been heard for longer, and is louder.
  fileprivate func isLess(than other: Self, _ name: String, _ otherName: String) -> Bool {
    (medium, long, loudness, name) < (other.medium, other.long, other.loudness, otherName)
  }
}
