import HoldfastFFmpeg
package import HoldfastMediaModel

package struct RecordedSignal {
  package struct Picture {
    package let time: Double
    /// The luma range of a line through the middle.
    package let luma: ClosedRange<UInt8>
    /// The luma range of the left and right edges.
    package let edges: ClosedRange<UInt8>

    package var isBlack: Bool { luma.lowerBound >= 14 && luma.upperBound <= 18 }
    package var hasBars: Bool { edges.upperBound <= 20 }
  }

  package private(set) var pictures: [Picture] = []
  package private(set) var peaks: [(time: Double, peak: Float)] = []
  package private(set) var size: PictureSize?

  package init(path: String) throws {
    silenceFFmpeg()
    var reader = try PictureReader(path: path)
    size = reader.format.size
    while let picture = try reader.next() {
      let size = picture.frame.size
      let (middle, edges) = picture.frame.withPlane(0) { bytes, stride in
        let first = size.height / 2 * stride
        let line: [UInt8] = (first..<first + size.width).map { bytes[$0] }
        let rows: [Int] = (0..<size.height).map { $0 * stride }
        let edges: [UInt8] = rows.map { bytes[$0 + 1] } + rows.map { bytes[$0 + size.width - 2] }
        return (line, edges)
      }
      pictures.append(
        Picture(
          time: picture.time.seconds, luma: (middle.min() ?? 0)...(middle.max() ?? 0),
          edges: (edges.min() ?? 0)...(edges.max() ?? 0)))
    }
    guard var sound = try? SoundReader(path: path) else { return }
    let window = sound.format.sampleRate / 100
    var samples: [Float] = []
    var start: Double?
    while let block = try sound.next() {
      start = start ?? block.time.seconds
      samples += stride(from: 0, to: block.samples.count, by: sound.format.channels).map { block.samples[$0] }
    }
    peaks = stride(from: 0, to: samples.count - window, by: window).map { first in
      let peak = samples[first..<first + window].reduce(0) { max($0, abs($1)) }
      return ((start ?? 0) + Double(first) / Double(sound.format.sampleRate), peak)
    }
  }

  /// The longest run of consecutive pictures that satisfy `condition`, from its first picture to its last.
  package func longestRun(where condition: (Picture) -> Bool) -> ClosedRange<Double>? {
    Self.longest(pictures.map { ($0.time, condition($0)) })
  }

  package var silence: ClosedRange<Double>? { Self.longest(peaks.map { ($0.time, $0.peak < 0.0005) }) }

  package var longestStep: Double { zip(pictures, pictures.dropFirst()).map { $1.time - $0.time }.max() ?? 0 }

  package var isRising: Bool { zip(pictures, pictures.dropFirst()).allSatisfy { $0.time < $1.time } }

  private static func longest(_ marks: [(time: Double, isSo: Bool)]) -> ClosedRange<Double>? {
    var best: ClosedRange<Double>?
    var first: Double?
    for (time, isSo) in marks {
      guard isSo else {
        first = nil
        continue
      }
      let begin = first ?? time
      first = begin
      if time - begin >= best.map({ $0.upperBound - $0.lowerBound }) ?? 0 { best = begin...time }
    }
    return best
  }
}

/// The pitch of the sound in the middle of a file, by zero crossings.
package func pitch(of path: String) throws -> Double {
  var reader = try SoundReader(path: path)
  var samples: [Float] = []
  while let block = try reader.next() {
    samples += stride(from: 0, to: block.samples.count, by: reader.format.channels).map { block.samples[$0] }
  }
  let middle = samples[(samples.count / 4)..<(samples.count * 3 / 4)]
  let rises = zip(middle, middle.dropFirst()).filter { $0 <= 0 && $1 > 0 }.count
  return Double(rises) * Double(reader.format.sampleRate) / Double(middle.count)
}
