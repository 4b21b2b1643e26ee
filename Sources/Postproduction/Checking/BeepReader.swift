import HoldfastFFmpeg
package import HoldfastMarks
package import HoldfastMediaModel

/// The beeps in the sound of a file.
package struct BeepReader: ~Copyable {
  private var reader: SoundReader
  private var detector: BeepDetector?
  private var nextTime = MediaTime.zero
  /// Time of the first sample.
  package private(set) var start: MediaTime?
  private var frames = 0

  package init?(path: String) {
    guard let reader = try? SoundReader(path: path) else { return nil }
    self.reader = reader
  }

  init?(_ media: CheckedMedia) {
    guard let stream = try? media.stream(), let reader = try? SoundReader(stream, of: media.path) else {
      return nil
    }
    self.reader = reader
  }

  /// Duration of the sound read so far.
  package var seconds: Double { Double(frames) / Double(reader.format.sampleRate) }

  /// The beeps up to a little after `end`.
  package mutating func beeps(until end: MediaTime? = nil) -> [Beep] {
    var beeps: [Beep] = []
    while end.map({ nextTime < $0 + .milliseconds(500) }) ?? true, let block = next() {
      // After a hole, timestamps determine the position.
      if max(block.time - nextTime, nextTime - block.time) > .milliseconds(3) { detector = nil }
      let channels = reader.format.channels
      start = start ?? block.time
      frames += block.samples.count / channels
      nextTime = block.time + reader.format.duration(ofFrames: block.samples.count / channels)
      // A decoder fades in, so a beep at the very beginning would seem late.
      guard block.time >= .milliseconds(20) else { continue }
      var found = detector ?? BeepDetector(sampleRate: reader.format.sampleRate, start: block.time)
      detector = nil
      beeps += found.process(block.samples, channels: channels)
      detector = found
    }
    return beeps
  }

  private mutating func next() -> (samples: [Float], time: MediaTime)? {
    for _ in 0..<maxConsecutiveErrors {
      do { return try reader.next() } catch {}
    }
    return nil
  }
}
