internal import HoldfastFFmpeg
internal import HoldfastMediaModel

/// The pitch of a file's sound in its middle, by counting where it passes zero.
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
