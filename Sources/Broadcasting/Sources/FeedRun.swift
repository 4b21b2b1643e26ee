internal import HoldfastCapture
internal import HoldfastPlatform

/// One source of a feed while it runs, on a thread of its own.
final class FeedRun<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  enum Beginning: Sendable {
    case begun
    case failed(CaptureError)
  }

  let number: Int
  let origin: FeedOrigin<Taken, Shape>
  let stop: StopSignal
  let thread = ThreadSlot()
  /// What has become of a device that was opened: that it gives something, or why it does not.
  let beginning = BoundedQueue<Beginning>(capacity: 1)

  /// Open, and not being run yet. Nobody else holds it: a device can be opened again only when it has been closed.
  private let source = Locked<FeedSource<Taken, Shape>?>(nil)

  init(_ number: Int, _ origin: FeedOrigin<Taken, Shape>) throws(SystemError) {
    self.number = number
    self.origin = origin
    stop = try StopSignal()
  }

  func open() throws(CaptureError) {
    hold(try origin.open())
  }

  func hold(_ opened: FeedSource<Taken, Shape>?) {
    source.withLock { $0 = opened }
  }

  func takeSource() -> FeedSource<Taken, Shape>? { source.withLock { $0.take() } }
}

/// Where a feed's source comes from.
struct FeedOrigin<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  /// It runs from when it is opened, whether there is a broadcast or not.
  var isDevice: Bool
  /// It comes to its end by itself.
  var endsByItself = false
  /// Which file it is that takes another one's place.
  var file: FilePlace?
  /// Which device it is.
  var memory: DeviceMemory?
  /// Opens the source; a device that was open before is found again, wherever it is plugged in now.
  let open: @Sendable () throws(CaptureError) -> FeedSource<Taken, Shape>
}
