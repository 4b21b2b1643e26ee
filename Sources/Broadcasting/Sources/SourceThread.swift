import HoldfastCapture
import HoldfastPlatform

/// One source of a feed on its own thread, and its stand-in.
final class SourceThread<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  typealias Source = FeedSource<Item, Properties>

  let number: Int
  let origin: FeedOrigin<Item, Properties>
  let stop: Wakeup
  let thread = ThreadSlot()
  /// Receives nil with the source's first item, or the error that prevented it.
  let beginning = BoundedQueue<CaptureError?>(capacity: 1)

  /// The open source until it runs. Held only here: a device can't be reopened before it is closed.
  private let source: Locked<Source?>
  private let standIn = Locked<StoppableThread?>(nil)

  init(_ number: Int, _ origin: FeedOrigin<Item, Properties>, _ source: Source?) throws(SystemError) {
    self.number = number
    self.origin = origin
    self.source = Locked(source)
    stop = try Wakeup()
  }

  func hold(_ opened: Source?) {
    source.withLock { $0 = opened }
  }

  func takeSource() -> Source? { source.withLock { $0.take() } }

  func standIn(_ source: Source, deliver: @escaping @Sendable (consuming Item) -> Void) {
    let thread = try? StoppableThread(name: "stand-in") { stop in try? source.run(stop) { deliver($0) } }
    standIn.withLock { $0 = thread }
  }

  func stopStandIn() {
    standIn.withLock { $0.take() }?.stop()
  }
}
