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
  private let standIn = Locked<StoppableThread?>(nil)

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

  /// Runs what stands in for it, until `stopStandIn`.
  func standIn(_ source: Source, deliver: @escaping @Sendable (consuming Taken) -> Void) {
    let thread = try? StoppableThread(name: "stand-in") { stop in try? source.run(stop) { deliver($0) } }
    standIn.withLock { $0 = thread }
  }

  func stopStandIn() {
    standIn.withLock { $0.take() }?.stop()
  }
}

/// Where a feed's source comes from.
struct FeedOrigin<Taken: ~Copyable & Sendable, Shape: Sendable>: Sendable {
  /// It runs from when it is opened, whether there is a broadcast or not.
  var isDevice: Bool
  var endsByItself = false
  var file: FilePlace?
  var memory: DeviceMemory?
  /// Opens the source; a device that was open before is found again, wherever it is plugged in now.
  let open: @Sendable () throws(CaptureError) -> FeedSource<Taken, Shape>
}
