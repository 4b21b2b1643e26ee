// A broadcaster whose pictures and sound the program makes, and whose packets it takes itself.
import Holdfast
import Synchronization

/// A bar that moves across the picture.
final class MovingBar: PictureSource {
  let name = "moving bar"
  let size = PictureSize(width: 320, height: 240)
  let frameRate: FrameRate = 25

  func run(until stop: SourceStop, deliver: (Picture) -> Void) {
    var (due, number) = (CaptureTime.now, 0)
    while !stop.wait(until: due) {
      var line = [UInt8](repeating: 32, count: size.width)
      for column in 0..<16 { line[(number * 4 + column) % size.width] = 220 }
      let luma = (0..<size.height).flatMap { _ in line }
      let chroma = [UInt8](repeating: 128, count: luma.count / 2)
      if let picture = Picture(size: size, planes: luma + chroma, captureTime: due) { deliver(picture) }
      (due, number) = (due + frameRate.frameDuration, number + 1)
    }
  }
}

/// A tone of 400 Hz in blocks of 20 ms.
final class Tone: SoundSource {
  let name = "tone"
  let format = SoundFormat(sampleRate: 48_000, channels: 1)

  func run(until stop: SourceStop, deliver: (SoundBlock) -> Void) {
    let wave = (0..<960).map { Float(abs($0 % 120 - 60)) / 300 - 0.1 }
    var due = CaptureTime.now
    while !stop.wait(until: due) {
      deliver(SoundBlock(samples: wave, captureTime: due))
      due = due + .milliseconds(20)
    }
  }
}

/// Counts the packets of each track.
final class Counter: PacketSink {
  let counts = Mutex<[TrackKind: Int]>([:])

  func beginTrack(_ track: Track) { print("track:", track.format) }
  func receive(_ packet: Packet) { counts.withLock { $0[packet.trackKind, default: 0] += 1 } }
}

@main enum Drawn {
  static func main() async throws {
    var configuration = Configuration()
    configuration.video.source = .source(MovingBar())
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.audio.source = .source(Tone())
    configuration.recording.directory = nil
    configuration.session.duration = .seconds(3)

    let counter = Counter()
    for report in try await Broadcaster(configuration, sinks: [counter]).run() { print(report) }
    print("packets:", counter.counts.withLock { $0 })
  }
}
