/// How loud sound is, all channels together; full scale is 1.
package struct SoundLevel: Hashable, Sendable {
  package private(set) var peak: Float = 0
  private var squares = 0.0
  private var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var rootMeanSquare: Double { isEmpty ? 0 : (squares / Double(count)).squareRoot() }

  package mutating func add(_ samples: [Float]) {
    for sample in samples {
      peak = max(peak, abs(sample))
      squares += Double(sample * sample)
    }
    count += samples.count
  }
}
