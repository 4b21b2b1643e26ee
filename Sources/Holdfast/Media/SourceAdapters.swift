import HoldfastBroadcasting
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

struct PictureAdapter: VideoSource {
  let source: any PictureSource

  var format: VideoFormat {
    VideoFormat(size: source.size.inner, frameRate: source.frameRate.inner ?? .thirty)
  }
  var pixelFormat: PixelFormat { .yuv420p }
  var summary: String { "\(source.name), \(format)" }

  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    guard source.frameRate.inner != nil else {
      throw lost("\(source.frameRate) is not a frame rate", hint: "use a positive frame rate")
    }
    var failure: CaptureError?
    do {
      try source.run(until: SourceStop(inner: stop)) { picture in
        do throws(CaptureError) {
          deliver(try frame(of: picture))
        } catch {
          failure = error
        }
      }
    } catch {
      throw lost("\(error)", hint: "check the program's own messages")
    }
    if let failure { throw failure }
  }

  private func frame(of picture: Picture) throws(CaptureError) -> CapturedFrame {
    let size = picture.size
    do {
      let frame = try Frame(size: size.inner, format: .yuv420p)
      var offset = 0
      for (plane, half) in [(0, 1), (1, 2), (2, 2)] {
        let (width, height) = (size.width / half, size.height / half)
        frame.withPlane(plane) { bytes, bytesPerLine in
          for line in 0..<height {
            let row = picture.planes[offset + line * width..<offset + (line + 1) * width]
            UnsafeMutableRawBufferPointer(rebasing: bytes[(line * bytesPerLine)...]).copyBytes(from: row)
          }
        }
        offset += width * height
      }
      return CapturedFrame(frame, captureTime: picture.captureTime.inner)
    } catch {
      throw lost("\(error)", hint: "check whether the machine is out of memory")
    }
  }

  private func lost(_ what: String, hint: String) -> CaptureError {
    CaptureError(.lost, .video, device: source.name, what: what, hint: hint)
  }
}

struct SoundAdapter: AudioSource {
  let source: any SoundSource

  var format: AudioFormat {
    AudioFormat(sampleRate: source.format.sampleRate, channels: source.format.channels)
  }
  var hasOwnClock: Bool { source.hasOwnClock }
  var summary: String { "\(source.name), \(format)" }

  func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    let format = format
    guard 8000...192_000 ~= format.sampleRate, 1...8 ~= format.channels else {
      throw CaptureError(
        .lost, .audio, device: source.name,
        what: "its format is \(format.sampleRate) Hz, \(format.channels) channels",
        hint: "use 8000 to 192000 Hz and 1 to 8 channels")
    }
    do {
      try source.run(until: SourceStop(inner: stop)) { block in
        // An encoder fails at what is not a number, and half a frame would swap the channels.
        let samples = block.samples.dropLast(block.samples.count % format.channels)
          .map { $0.isFinite ? $0 : 0 }
        deliver(AudioBlock(format: format, captureTime: block.captureTime.inner, samples: samples))
      }
    } catch {
      throw CaptureError(
        .lost, .audio, device: source.name, what: "\(error)", hint: "check the program's own messages")
    }
  }
}
