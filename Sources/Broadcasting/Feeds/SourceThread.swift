import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// One source of a feed on its own thread, and its stand-in.
final class SourceThread<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  typealias Source = FeedSource<Item, Properties>

  let number: Int
  let origin: FeedOrigin<Item, Properties>
  let stop: Wakeup
  /// Receives success with the source's first item, or the error that prevented it.
  let firstItem = Promise<Result<Void, CaptureError>>()
  private let slot = ThreadSlot()
  /// The open source until it runs. Kept only here: a device can't be reopened before it is closed.
  private let source: Locked<Source?>
  private let standIn = Locked<StoppableThread?>(nil)

  init(_ number: Int, _ origin: FeedOrigin<Item, Properties>, _ source: Source?) throws(SystemError) {
    self.number = number
    self.origin = origin
    self.source = Locked(source)
    stop = try Wakeup()
  }

  func start(for track: TrackKind, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    try slot.start(name: "\(track.rawValue)-source", priority: track.threadPriority, body)
  }

  /// Waits for the thread to end; false if it was abandoned because a supplied source did not return.
  func join() -> Bool {
    guard let limits = origin.limits else {
      slot.join()
      return true
    }
    return slot.join(until: .now + limits.stop)
  }

  func keep(_ opened: Source?) { source.withLock { $0 = opened } }

  func takeSource() -> Source? { source.withLock { $0.take() } }

  func startStandIn(
    _ source: Source, for track: TrackKind, deliver: @escaping @Sendable (consuming Item) -> Void
  ) {
    let thread = try? StoppableThread(name: "stand-in", priority: track.threadPriority) { stop in
      try? source.run(stop) { deliver($0) }
    }
    standIn.withLock { $0 = thread }
  }

  func stopStandIn() { standIn.withLock { $0.take() }?.stop() }
}

extension TrackKind {
  /// Sound never loses to the picture, nor either of them to anything else.
  var threadPriority: ThreadPriority {
    switch self {
    case .audio: .sound
    case .video: .picture
    }
  }
}
