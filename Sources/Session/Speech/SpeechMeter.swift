import HoldfastMediaModel

extension Session {
  /// Finds speech in one member's sound, from the loudness of each 20 ms.
  ///
  /// Loudness becomes a level of 0 to 127 relative to the member's own loudest speech, so that a quiet microphone counts as much
  /// as a loud one. Sound that doesn't stand out from the room's noise has the level 0.
  package struct SpeechMeter: Sendable {
    private var noise = NoiseFloor()
    /// The loudness of the member's loud speech: rises within half a second, falls by 6 dB a minute.
    private var peak = -40.0
    /// The last ten values: the peak follows only sound that lasts, not clicks.
    private var recent: [Double] = []
    /// Of the last second. The loudness is nil without speech.
    private var frames: [(immediate: Int, loudness: Double?)] = []

    package init() {}

    /// `loudness` in dB of full scale, high-passed.
    package mutating func add(_ loudness: Double) {
      let loudness = min(0, max(Session.SpeechScores.leastLoudness, loudness))
      recent = (recent + [loudness]).suffix(Self.sustained)
      let floor = noise.follow(loudness)
      let isSpeech = loudness > floor + Self.margin
      let held = recent.percentile(30)
      if isSpeech, recent.count == Self.sustained, held > peak { peak += (held - peak) / 20 }
      peak = max(Self.leastPeak, peak - Self.release)
      let level = isSpeech ? min(127, max(0, 150 + 5 * (loudness - peak))) : 0
      frames = (frames + [(Int(level / 13), level > 0 ? loudness : nil)]).suffix(Self.second)
    }

    package var scores: SpeechScores {
      var mediums: [Int] = []
      // Whole tenths of a second, the newest last.
      var end = frames.count
      while end >= 5 {
        mediums.insert(frames[(end - 5)..<end].count { $0.immediate > 7 }, at: 0)
        end -= 5
      }
      return SpeechScores(
        immediate: SpeechScores.immediates[frames.last?.immediate ?? 0],
        medium: SpeechScores.mediums[mediums.last ?? 0],
        long: SpeechScores.longs[mediums.count { $0 > 4 }], loudness: loudnessOfSpeech)
    }

    package var sound: Sound {
      let loudest = recent.max() ?? SpeechScores.leastLoudness
      return Sound(level: Int(127 + loudest), scores: scores)
    }

    private var loudnessOfSpeech: Double {
      let loud = frames.compactMap(\.loudness)
      return loud.count > 3 ? loud.percentile(90) : SpeechScores.leastLoudness
    }

    private static let sustained = 10
    private static let second = 50
    private static let margin = 8.0
    private static let release = 0.1 / 50
    private static let leastPeak = -50.0
  }

  /// How loud a room is without speech: the quietest of the last 15 s. What has been steady for a second is noise, too, however loud.
  struct NoiseFloor: Sendable {
    /// The quietest of each half second.
    private var quietest: [Double] = []
    private var ofThis = Double.infinity
    private var count = 0
    private var window: [Double] = []

    mutating func follow(_ loudness: Double) -> Double {
      window = (window + [loudness]).suffix(Self.steadyAfter)
      ofThis = min(ofThis, loudness)
      count += 1
      if count == 25 {
        quietest = (quietest + [ofThis]).suffix(30)
        (count, ofThis) = (0, .infinity)
      }
      let floor = quietest.reduce(ofThis, min)
      guard window.count == Self.steadyAfter else { return floor }
      let (low, high) = (window.percentile(10), window.percentile(90))
      return high - low < 5 ? max(floor, low) : floor
    }

    private static let steadyAfter = 50
  }
}
