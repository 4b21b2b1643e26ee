package import HoldfastMediaModel
package import HoldfastPlatform

/// Replaces a lost microphone by silence.
package struct Silence: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = false
  package var summary: String { "silence, \(format)" }

  package init(format: AudioFormat) { self.format = format }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    let frames = max(1, format.sampleRate / 100)
    let samples = [Float](repeating: 0, count: frames * format.channels)
    let start = MonotonicTime.now
    var count = 0
    while !stop.wait(until: start + format.duration(ofFrames: count + frames)) {
      let time = start + format.duration(ofFrames: count)
      deliver(AudioBlock(format: format, captureTime: time, samples: samples))
      count += frames
    }
  }
}
