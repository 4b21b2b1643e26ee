package import HoldfastPlatform

/// A source of pictures implemented by the program, captured like a camera.
public protocol PictureSource: AnyObject, Sendable {
  /// The source's name in events and errors.
  var name: String { get }
  /// The usual size; other pictures are scaled to it, with black bars.
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

/// Signals a source to stop.
public struct SourceStop: Sendable {
  private let inner: Wakeup

  package init(inner: Wakeup) { self.inner = inner }

  /// Whether the source should return now.
  public var isRequested: Bool { inner.isSignalled }

  /// Sleeps until `time`, or until a stop is requested; returns true if it was.
  public func wait(until time: CaptureTime) -> Bool { inner.wait(until: time.inner) }
}
