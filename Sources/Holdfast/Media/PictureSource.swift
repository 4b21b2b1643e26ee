import HoldfastBroadcasting
import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// A source of pictures implemented by the program, captured like a camera.
public protocol PictureSource: AnyObject, Sendable {
  /// The source's name in events and errors.
  var name: String { get }
  /// The size of all pictures.
  var size: PictureSize { get }
  /// The nominal frame rate.
  var frameRate: FrameRate { get }

  /// Delivers pictures in real time until `stop` is requested. It runs on a thread of its own and may block.
  ///
  /// If it returns or throws earlier, the source counts as lost, like an unplugged camera: black pictures
  /// replace it, and `run` is called again.
  ///
  /// A broadcast fails if the source delivers nothing in its first 5 s. If `run` has not returned 1 s after a stop
  /// is requested, its thread is abandoned, and a later `run` may overlap it.
  func run(until stop: SourceStop, deliver: (Picture) -> Void) throws
}

/// A source of sound implemented by the program, captured like a microphone.
public protocol SoundSource: AnyObject, Sendable {
  /// The source's name in events and errors.
  var name: String { get }
  /// The format of all blocks.
  var format: SoundFormat { get }
  /// Whether a clock other than the machine's paces the samples, as on a sound card.
  var hasOwnClock: Bool { get }

  /// Delivers blocks of at most about 20 ms in real time until `stop` is requested. It runs on a thread of
  /// its own and may block.
  func run(until stop: SourceStop, deliver: (SoundBlock) -> Void) throws
}

extension SoundSource {
  /// False: the machine's clock paces the samples.
  public var hasOwnClock: Bool { false }
}

/// A raw picture in 8-bit YUV 4:2:0: the planes Y, U and V, without padding.
public struct Picture: Hashable, Sendable {
  public let size: PictureSize
  public let planes: [UInt8]
  public let captureTime: CaptureTime

  /// Returns nil unless the size is even and `planes` holds one and a half bytes per pixel.
  public init?(size: PictureSize, planes: [UInt8], captureTime: CaptureTime = .now) {
    guard size.width > 0, size.height > 0, size.width % 2 == 0, size.height % 2 == 0 else { return nil }
    guard planes.count == size.width * size.height * 3 / 2 else { return nil }
    self.size = size
    self.planes = planes
    self.captureTime = captureTime
  }
}

/// A block of sound: interleaved samples from -1 to 1.
public struct SoundBlock: Hashable, Sendable {
  public let samples: [Float]
  /// The capture time of the first sample.
  public let captureTime: CaptureTime

  /// Creates a block whose first sample was captured at `captureTime`.
  public init(samples: [Float], captureTime: CaptureTime = .now) {
    self.samples = samples
    self.captureTime = captureTime
  }
}

/// The sample rate and channel count of sound.
public struct SoundFormat: Hashable, Sendable {
  public var sampleRate: Int
  public var channels: Int

  /// Creates a format, 48 kHz stereo by default.
  public init(sampleRate: Int = 48_000, channels: Int = 2) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// Signals a source to stop.
public struct SourceStop: Sendable {
  let inner: Wakeup

  /// Whether the source should return now.
  public var isRequested: Bool { inner.isSignalled }

  /// Sleeps until `time`, or until a stop is requested; returns true if it was.
  public func wait(until time: CaptureTime) -> Bool { inner.wait(until: time.inner) }
}

/// The size of a picture in pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastMediaModel.PictureSize

  init(inner: HoldfastMediaModel.PictureSize) {
    self.inner = inner
  }

  public init(width: Int, height: Int) {
    inner = HoldfastMediaModel.PictureSize(width: width, height: height)
  }

  public var width: Int { inner.width }
  public var height: Int { inner.height }
  /// The size as text: `1280x720`.
  public var description: String { inner.description }
}

/// Pictures per second as a fraction, so that 29.97 is exactly 30000/1001.
public struct FrameRate: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let inner: HoldfastMediaModel.FrameRate

  init(inner: HoldfastMediaModel.FrameRate) {
    self.inner = inner
  }

  /// Returns nil unless both parts are positive.
  public init?(numerator: Int, denominator: Int) {
    guard let rate = HoldfastMediaModel.FrameRate(numerator: numerator, denominator: denominator) else {
      return nil
    }
    inner = rate
  }

  /// Creates a whole-number frame rate, which must be positive.
  public init(integerLiteral value: Int) {
    guard let rate = FrameRate(numerator: value, denominator: 1) else {
      preconditionFailure("a frame rate of \(value)")
    }
    self = rate
  }

  public var numerator: Int { inner.numerator }
  public var denominator: Int { inner.denominator }
  public var description: String { inner.description }

  /// The time between two pictures.
  public var frameDuration: Duration { Duration(inner.frameDuration) }
}

struct PictureAdapter: VideoSource {
  let source: any PictureSource

  var format: VideoFormat { VideoFormat(size: source.size.inner, frameRate: source.frameRate.inner) }
  var pixelFormat: PixelFormat { .yuv420p }
  var summary: String { "\(source.name), \(format)" }

  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    let size = source.size
    var failure: CaptureError?
    do {
      try source.run(until: SourceStop(inner: stop)) { picture in
        do throws(CaptureError) {
          deliver(try frame(of: picture, size: size))
        } catch {
          failure = error
        }
      }
    } catch {
      throw lost("\(error)", hint: "see what the program says of it")
    }
    if let failure { throw failure }
  }

  private func frame(of picture: Picture, size: PictureSize) throws(CaptureError) -> CapturedFrame {
    guard picture.size == size else {
      throw lost("a picture of \(picture.size) among those of \(size)", hint: "deliver pictures of one size")
    }
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
      throw lost("\(error)", hint: "see whether the machine is out of memory")
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
    do {
      try source.run(until: SourceStop(inner: stop)) { block in
        deliver(AudioBlock(format: format, captureTime: block.captureTime.inner, samples: block.samples))
      }
    } catch {
      throw CaptureError(
        .lost, .audio, device: source.name, what: "\(error)", hint: "see what the program says of it")
    }
  }
}
