import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastMediaSources
package import HoldfastPlatform

/// An X screen with its pointer. Its pictures may change their size with the screen.
///
/// Read on a thread of its own, because libxcb waits for an X server without a limit. The thread of a frozen server is
/// abandoned, and ends when the server responds again or is gone.
package final class Screen: VideoSource {
  package let format: VideoFormat
  /// Pictures are packed RGB; this is what encoders make of it.
  package let pixelFormat = PixelFormat.yuv420p
  package let summary: String
  private let display: XDisplayName
  private let thread = ThreadSlot()
  private let exchange: Exchange

  /// What the thread shares with its owner; it outlives an abandoned one.
  private final class Exchange: Sendable {
    let pictures = BoundedQueue<CapturedFrame>(capacity: 2)
    /// Receives the first picture's outcome.
    let opened = Promise<Result<Void, FFmpegError>>()
    /// True once pictures are wanted, false if they never will be.
    let isWanted = Promise<Bool>()
    /// Signalled after each picture, and at the end.
    let arrival: Wakeup
    let stop: Wakeup
    let failure = Locked<FFmpegError?>(nil)

    init() throws(SystemError) {
      arrival = try Wakeup()
      stop = try Wakeup()
    }
  }

  /// The longest wait for a picture.
  private static let patience = MediaTime.seconds(1)
  private static var silence: String { "no picture for \(patience.wholeSeconds) s" }
  private static let stopTimeout = MediaTime.milliseconds(300)
  /// How often the screen's size is looked up.
  private static let sizeInterval = MediaTime.seconds(2)

  /// Opens the screen, to be captured at the requested rate, and waits for a picture.
  package init(_ selection: ScreenSelection, rate: FrameRate) throws(CaptureError) {
    guard ScreenReader.isAvailable else { throw ScreenFailure.noLibrary(ScreenReader.library) }
    let target = try ScreenTarget(selection)
    let area = try target.visibleArea()
    let exchange: Exchange
    do throws(SystemError) {
      let new = try Exchange()
      exchange = new
      try thread.start(name: "screen", priority: .picture) { Self.grab(target, area, rate, new) }
    } catch {
      throw CaptureError(
        .unsuitable, .video, device: "screen:\(target.display)", what: "\(error)",
        hint: "check whether the machine is out of memory or threads")
    }
    self.exchange = exchange
    display = target.display
    format = VideoFormat(size: area.size, frameRate: rate)
    let isXWayland = selection.display == nil && ScreenTarget.isWayland
    summary = "screen \(display), \(format)" + (isXWayland ? "; a Wayland session, so X windows only" : "")
    switch exchange.opened.take(until: .now + Self.patience) {
    case .success: break
    case .failure(let error): throw ScreenFailure.lost(display, "it can't be captured: \(error)")
    case nil: throw ScreenFailure.lost(display, Self.silence)
    }
  }

  deinit {
    exchange.isWanted.fulfil(false)
    exchange.stop.signal()
    _ = thread.join(until: .now + Self.stopTimeout)
  }

  /// Delivers pictures until stopped; throws if none comes for a second.
  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    exchange.isWanted.fulfil(true)
    var limit = MonotonicTime.now + Self.patience
    while true {
      let outcome = try mapError(stop.poll([exchange.arrival.descriptor], until: limit)) {
        (error: SystemError) in ScreenFailure.lost(display, "\(error)")
      }
      switch outcome {
      case .signalled: return
      case .timedOut: throw ScreenFailure.lost(display, Self.silence)
      case .ready: exchange.arrival.clear()
      }
      while let picture = exchange.pictures.take(until: .now) {
        deliver(picture)
        limit = .now + Self.patience
      }
      if exchange.failure.withLock({ $0 }) != nil {
        throw ScreenFailure.lost(display, "the connection to the X server is lost")
      }
    }
  }

  private static func grab(
    _ target: ScreenTarget, _ area: PictureArea, _ rate: FrameRate, _ exchange: Exchange
  ) {
    do throws(FFmpegError) {
      var reader = try AreaReader(target, area)
      _ = try reader.next()
      exchange.opened.fulfil(.success(()))
      guard exchange.isWanted.take() == true else { return }
      var cadence = Cadence(rate, from: .now)
      var nextLook = MonotonicTime.now + sizeInterval
      var lost = 0
      while !exchange.stop.wait(until: cadence.next) {
        let captureTime = MonotonicTime.now
        lost += cadence.advance(past: captureTime)
        if captureTime >= nextLook {
          nextLook = captureTime + sizeInterval
          _ = try reader.followSize()
        }
        let picture = CapturedFrame(try reader.next(), captureTime: captureTime, lostBefore: lost)
        if exchange.pictures.offer(picture) { lost = 0 } else { lost += 1 }
        exchange.arrival.signal()
      }
    } catch {
      exchange.opened.fulfil(.failure(error))
      exchange.failure.withLock { $0 = error }
      exchange.arrival.signal()
    }
  }
}

/// Reads an area of a screen whose size may change.
private struct AreaReader: ~Copyable {
  private let target: ScreenTarget
  private var area: PictureArea
  private var reader: ScreenReader

  init(_ target: ScreenTarget, _ area: PictureArea) throws(FFmpegError) {
    reader = try ScreenReader(target, area)
    self.target = target
    self.area = area
  }

  mutating func next() throws(FFmpegError) -> Frame {
    do throws(FFmpegError) {
      return try reader.next()
    } catch {
      // The area may have become larger than the screen.
      guard try followSize() else { throw error }
      return try reader.next()
    }
  }

  /// Opens the screen anew if its size has changed; returns whether it had.
  mutating func followSize() throws(FFmpegError) -> Bool {
    guard let visible = try? target.visibleArea(), visible != area else { return false }
    reader = try ScreenReader(target, visible)
    area = visible
    return true
  }
}

extension ScreenReader {
  fileprivate init(_ target: ScreenTarget, _ area: PictureArea) throws(FFmpegError) {
    try self.init(display: target.display.description, x: area.x, y: area.y, size: area.size)
  }
}
