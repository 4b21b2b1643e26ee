import Foundation
import HoldfastMediaModel
import TestRandomness
import TestTraits
import Testing

@testable import HoldfastSession

@Suite(.computing) struct SpeechTests {
  @Test func `the scores are what Volfin and Cohen compute`() {
    func score(_ count: Int, of all: Int, _ rate: Double) -> Double {
      let ways = lgamma(Double(all + 1)) - lgamma(Double(count + 1)) - lgamma(Double(all - count + 1))
      return max(1e-10, ways + Double(all) * log(0.5) - log(rate) + rate * Double(count))
    }
    func isEqual(_ table: [Double], of all: Int, _ rate: Double) -> Bool {
      table.enumerated().allSatisfy { abs($1 - score($0, of: all, rate)) < 0.0001 }
    }
    #expect(isEqual(Session.SpeechScores.immediates, of: 13, 0.78))
    #expect(isEqual(Session.SpeechScores.mediums, of: 5, 24))
    #expect(isEqual(Session.SpeechScores.longs, of: 10, 47))
    let counts = [Session.SpeechScores.immediates, Session.SpeechScores.mediums, Session.SpeechScores.longs]
    #expect(counts.map(\.count) == [10, 6, 11])
  }

  @Test func `scores are read as they are written`() {
    let scores = Session.SpeechScores(immediate: 4.1, medium: 67.7, long: 1e-10, loudness: -23.5)
    #expect(Session.SpeechScores(scores.json) == scores)
    #expect(Session.SpeechScores(.list([.number(1), .number(2), .number(3)])) == nil)
    #expect(Session.SpeechScores(.list([.number(1), .number(2), .number(3), .number(1)])) == nil)
    #expect(Session.SpeechScores(.list([.number(.infinity), .number(2), .number(3), .number(-1)])) == nil)
    #expect(Session.SpeechScores(.text("loud")) == nil)
  }

  @Test(arguments: Dialogue.Kind.allCases, 1...UInt64(LongTests.count(1, long: 3)))
  func `the speaker is right outside the first second of a turn`(kind: Dialogue.Kind, seed: UInt64) {
    var dialogue = Dialogue(kind, seed: seed)
    dialogue.run(seconds: 120)
    #expect(dialogue.share >= 0.95)
    // A fan that is switched on in a pause may be taken for a voice until it has been steady for a second.
    #expect(dialogue.wrongChanges <= (kind == .hum ? 0 : kind == .fan ? 1 : 2))
  }

  @Test(arguments: [1.0, 5.0], [1, 2] as [UInt64])
  func `clicks and hum alone make nobody a speaker`(clicks: Double, seed: UInt64) {
    var dialogue = Dialogue(.silence(clicks), seed: seed)
    dialogue.run(seconds: 120)
    #expect(dialogue.speaker == nil)
  }
}

/// Members who take turns of three seconds and more, each with a microphone, and what a hub makes of their scores.
struct Dialogue {
  enum Kind: Hashable {
    case plain, quiet, crossTalk, noisyRoom, clicks, hum, fan, tones
    case silence(Double)

    static let allCases: [Kind] = [.plain, .quiet, .crossTalk, .noisyRoom, .clicks, .hum, .fan, .tones]
  }

  private let kind: Kind
  private var choice: SplitMix64
  private var microphones: [Microphone] = []
  private var scores: [Session.Member.ID: (scores: Session.SpeechScores, frame: Int)] = [:]
  private var frame = 0
  /// Who has the word; nobody between two turns.
  private var label: Int?
  /// The first second is nobody's, as in any room.
  private var turnEnds = 50
  private var turnBegan = 0
  private var lastSpeaker: Int?
  private(set) var speaker: Int?
  private var speakerSince = 0
  private var right = 0
  private var labelled = 0
  private(set) var wrongChanges = 0

  /// Four who speak, and in some a fifth that only makes noise.
  private struct Microphone {
    var meter = Session.SpeechMeter()
    let loudness: Double
    let noise: Double
    let phase: Int
    /// What is left of the syllable.
    var voice: [Double] = []
  }

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    choice = SplitMix64(seed: seed)
    for number in 0..<5 {
      let loud = kind == .quiet ? -48.0 ... -30 : kind == .crossTalk ? -28.0 ... -20 : -35.0 ... -15
      let loudness = Double.random(in: loud, using: &choice)
      let noise = Double.random(in: -75 ... -55, using: &choice)
      microphones.append(
        Microphone(
          loudness: loudness, noise: kind == .noisyRoom ? loudness - 12 : min(noise, loudness - 15),
          phase: (number * 4 + Int.random(in: 0..<4, using: &choice)) % 15))
    }
  }

  var share: Double { labelled == 0 ? 0 : Double(right) / Double(labelled) }

  mutating func run(seconds: Int) {
    while frame < seconds * 50 { step() }
  }

  private mutating func step() {
    takeTurns()
    let voices = (0..<4).map { $0 == label ? voice(of: $0) : nil }
    for number in microphones.indices { hear(number, voices) }
    for (number, microphone) in microphones.enumerated() where frame % 15 == microphone.phase {
      scores[SessionStory.id(number)] = (microphone.meter.scores, frame)
      compare()
    }
    if let label, frame >= turnBegan + 50 {
      labelled += 1
      if speaker == label { right += 1 }
    }
    frame += 1
  }

  private mutating func takeTurns() {
    guard frame >= turnEnds else { return }
    if case .silence = kind { return }
    if label != nil {
      (lastSpeaker, label) = (label, nil)
      turnEnds = frame + Int.random(in: 0...50, using: &choice)
    } else {
      label = (0..<4).filter { $0 != lastSpeaker }.randomElement(using: &choice)
      turnBegan = frame
      turnEnds = frame + Int.random(in: 150...600, using: &choice)
    }
  }

  /// Syllables, short gaps within words, and pauses between phrases; relative to how loud somebody speaks.
  private mutating func voice(of number: Int) -> Double {
    if kind == .tones { return 0 }
    if microphones[number].voice.isEmpty {
      let length = Int.random(in: 5...14, using: &choice)
      let top = Double.random(in: -4...4, using: &choice)
      var next = (0..<length).map { frame in
        top + Double.random(in: -3...3, using: &choice) - (frame < 2 || frame > length - 3 ? 6 : 0)
      }
      next += (0..<Int.random(in: 1...6, using: &choice)).map { _ in
        -Double.random(in: 10...30, using: &choice)
      }
      if Int.random(in: 0..<8, using: &choice) == 0 {
        next += Array(repeating: -100, count: Int.random(in: 8...30, using: &choice))
      }
      microphones[number].voice = next
    }
    return microphones[number].voice.removeFirst()
  }

  private mutating func hear(_ number: Int, _ voices: [Double?]) {
    let microphone = microphones[number]
    var parts = [microphone.noise + Double.random(in: -1.5...1.5, using: &choice)]
    for (other, voice) in voices.enumerated() {
      guard let voice else { continue }
      if other == number {
        parts.append(microphone.loudness + voice)
      } else if kind == .crossTalk, number < 4 {
        parts.append(microphones[other].loudness + voice - 20)
      }
    }
    let clicks: Double
    switch kind {
    case .clicks: clicks = 2
    case .silence(let often): clicks = often
    case .plain, .quiet, .crossTalk, .noisyRoom, .hum, .fan, .tones: clicks = 0
    }
    if Double.random(in: 0..<1, using: &choice) < clicks / 50 {
      parts.append(Double.random(in: -25 ... -5, using: &choice))
    }
    let isHumming = kind == .hum || kind == .fan && frame > 3000
    if number == 4, isHumming { parts.append(-25 + Double.random(in: -0.5...0.5, using: &choice)) }
    if case .silence = kind, number > 2 { parts.append(-20) }
    microphones[number].meter.add(10 * log10(parts.reduce(0) { $0 + pow(10, $1 / 10) }))
  }

  private mutating func compare() {
    guard frame - speakerSince >= 100 || speaker == nil else { return }
    let fresh = scores.filter { frame - $0.value.frame < 50 }.mapValues(\.scores)
    let change = Session.SpeakerChoice.change(from: speaker.map { SessionStory.id($0) }, fresh)
    guard let next = microphones.indices.first(where: { SessionStory.id($0) == change }) else { return }
    (speaker, speakerSince) = (next, frame)
    if label != nil, next != label, frame > turnBegan + 25 { wrongChanges += 1 }
    if label == nil, next != lastSpeaker { wrongChanges += 1 }
  }
}
