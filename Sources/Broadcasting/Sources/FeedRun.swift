internal import HoldfastCapture
internal import HoldfastPlatform

/// One source of a feed, on a thread of its own, and what stands in for it.
final class FeedRun<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  typealias Source = FeedSource<Taken, Shape>

  let number: Int
  let origin: FeedOrigin<Taken, Shape>
  let stop: Wakeup
  let thread = ThreadSlot()
  /// Gets nil once the source gives something, or why it does not.
  let beginning = BoundedQueue<CaptureError?>(capacity: 1)

  /// Open, and not being run yet. Nobody else holds it: a device can be opened again only when it has been closed.
  private let source: Locked<Source?>
  private let filler = Locked<Filler<Taken, Shape>?>(nil)

  init(_ number: Int, _ origin: FeedOrigin<Taken, Shape>, _ source: Source?) throws(SystemError) {
    self.number = number
    self.origin = origin
    self.source = Locked(source)
    stop = try Wakeup()
  }

  func hold(_ opened: Source?) {
    source.withLock { $0 = opened }
  }

  func takeSource() -> Source? { source.withLock { $0.take() } }

  func standIn(_ source: Source, deliver: @escaping @Sendable (consuming Taken) -> Void) {
    let filler = try? Filler(source, deliver: deliver)
    self.filler.withLock { $0 = filler }
  }

  func stopStandIn() {
    filler.withLock { $0.take() }?.stop()
  }
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
