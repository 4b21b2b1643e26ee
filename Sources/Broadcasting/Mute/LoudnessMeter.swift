import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// Measures the loudness of the broadcast sound in windows of 20 ms, in dB of full scale. A high-pass filter keeps mains hum out.
final class LoudnessMeter: Sendable {
  fileprivate struct State {
    /// Nothing is computed before the first `take`.
    var isWanted = false
    var rate = 0
    var filters: [HighPass] = []
    var squares = 0.0
    var frames = 0
    var loudnesses: [Double] = []
  }

  private let state = Locked(State())

  private static let window = MediaTime.milliseconds(20)
  private static let keptWindows = 250

  func add(_ block: AudioBlock) {
    state.withLock { state in
      guard state.isWanted else { return }
      if state.rate != block.format.sampleRate {
        state.rate = block.format.sampleRate
        state.filters = HighPass.voices(at: Double(state.rate))
      }
      state.add(block, each: max(1, Int(Self.window.ticks(timescale: state.rate))))
      state.loudnesses.removeFirst(max(0, state.loudnesses.count - Self.keptWindows))
    }
  }

  /// The windows since the last call; of the last five seconds at most.
  func take() -> [Double] {
    state.withLock { state in
      state.isWanted = true
      defer { state.loudnesses = [] }
      return state.loudnesses
    }
  }
}

extension LoudnessMeter.State {
  mutating func add(_ block: AudioBlock, each window: Int) {
    let channels = block.format.channels
    for frame in 0..<block.frameCount {
      var sample = 0.0
      for channel in 0..<channels { sample += Double(block.samples[frame * channels + channel]) }
      sample /= Double(channels)
      for index in filters.indices { sample = filters[index].process(sample) }
      squares += sample * sample
      frames += 1
      if frames == window {
        loudnesses.append(10 * log10(max(squares / Double(window), 1e-12)))
        (squares, frames) = (0, 0)
      }
    }
  }
}

/// A second-order section, in the transposed direct form.
private struct HighPass: Sendable {
  private let b: (Double, Double, Double)
  private let a: (Double, Double)
  private var memory = (0.0, 0.0)

  /// A Butterworth filter of the fourth order at 200 Hz.
  static func voices(at rate: Double) -> [HighPass] {
    [0.541_196, 1.306_563].map { HighPass(at: 200, rate, quality: $0) }
  }

  private init(at frequency: Double, _ rate: Double, quality: Double) {
    let angle = 2 * Double.pi * frequency / rate
    let (cosine, alpha) = (cos(angle), sin(angle) / (2 * quality))
    let scale = 1 / (1 + alpha)
    let edge = (1 + cosine) / 2 * scale
    b = (edge, -2 * edge, edge)
    a = (-2 * cosine * scale, (1 - alpha) * scale)
  }

  mutating func process(_ sample: Double) -> Double {
    let result = b.0 * sample + memory.0
    memory.0 = b.1 * sample - a.0 * result + memory.1
    memory.1 = b.2 * sample - a.1 * result
    return result
  }
}
