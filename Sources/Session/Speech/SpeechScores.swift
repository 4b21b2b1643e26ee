package import HoldfastMediaModel

extension Session {
  /// How much like speech a member's sound is: now, over the last tenth of a second, and over the last second.
  ///
  /// After Volfin and Cohen, "Dominant speaker identification for multipoint videoconferencing": what `v` of `n` tell is the
  /// larger of 1e-10 and ln C(n, v) + n ln 0.5 - ln λ + λ v.
  package struct SpeechScores: Hashable, Sendable {
    package let immediate: Double
    package let medium: Double
    package let long: Double
    /// The loudness of the last second's speech, in dB of full scale; other microphones pick the same voice up less loud.
    package let loudness: Double

    package init(immediate: Double, medium: Double, long: Double, loudness: Double) {
      self.immediate = immediate
      self.medium = medium
      self.long = long
      self.loudness = loudness
    }
  }
}

extension Session.SpeechScores {
  static let least = 1e-10
  static let silence = Self(immediate: least, medium: least, long: least, loudness: leastLoudness)
  static let leastLoudness = -127.0

  /// n = 13, λ = 0.78; a level is nine thirteenths at most.
  static let immediates = [least, least, least, least, 0.9298, 2.2976, 3.3653, 4.1453, 4.6376, 4.8298]
  /// n = 5, λ = 24.
  static let mediums = [least, 18.9656, 43.6588, 67.6588, 90.9656, 113.3562]
  /// n = 10, λ = 47.
  static let longs = [
    least, 38.5210, 87.0250, 135.0059, 182.5655, 229.7478, 276.5655, 323.0059, 369.0250, 414.5210, 459.2184,
  ]
}

// MARK: - JSON

extension Session.SpeechScores {
  package var json: JSONValue { .list([immediate, medium, long, loudness].map(JSONValue.number)) }

  /// Nil for what can't be scores.
  package init?(_ json: JSONValue) {
    guard let numbers = json.elements?.compactMap(\.number), numbers.count == 4,
      numbers.prefix(3).allSatisfy({ (0...1000).contains($0) }), (Self.leastLoudness...0).contains(numbers[3])
    else { return nil }
    self.init(
      immediate: max(Self.least, numbers[0]), medium: max(Self.least, numbers[1]),
      long: max(Self.least, numbers[2]), loudness: numbers[3])
  }
}
