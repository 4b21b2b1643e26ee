internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The newest picture as a JPEG file, for those who want to look at it now and then.
package struct PreviewPicture: Sendable {
  /// Grows by one with each that is made.
  package let number: Int
  package let jpeg: [UInt8]
}

/// Makes preview pictures while somebody asks for them, on a thread of its own, at most five a second whoever asks.
///
/// Between two of them nothing is kept of what passes by: a camera has few buffers.
final class PreviewPictures: Sendable {
  private struct State {
    var isWanted = false
    var askedAt: MonotonicTime?
    var newest: PreviewPicture?
    var madeAt: MonotonicTime?
    var isRunning = false
    var isFinished = false
  }

  private let state = Locked(State())
  private let frames = BoundedQueue<Frame>(capacity: 1)
  private let thread = ThreadSlot()

  private static let interval = MediaTime.milliseconds(200)
  private static let longestAge = MediaTime.seconds(2)
  private static let width = 640

  /// The newest one that has been made lately, at once; asks for another.
  func ask(at now: MonotonicTime = .now) -> PreviewPicture? {
    state.withLock { state in
      if state.askedAt.map({ now - $0 >= Self.interval }) ?? true {
        state.askedAt = now
        state.isWanted = true
      }
      guard let madeAt = state.madeAt, now - madeAt <= Self.longestAge else { return nil }
      return state.newest
    }
  }

  /// A picture passes by.
  func look(at frame: borrowing Frame) {
    let (isWanted, isFirst) = state.withLock { state in
      guard state.isWanted, !state.isFinished else { return (false, false) }
      state.isWanted = false
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    guard isWanted, let hold = try? frame.reference() else { return }
    _ = frames.offer(hold)
    guard isFirst else { return }
    do {
      try thread.start(name: "preview") { [self] in make() }
    } catch {
      // A camera has few buffers: none waits for a thread that isn't there.
      _ = frames.take(until: .now)
      state.withLock { $0.isRunning = false }
    }
  }

  /// Nothing more is made.
  func finish() {
    state.withLock { $0.isFinished = true }
    frames.close()
    thread.join()
  }

  private func make() {
    lowerThreadPriority()
    while let frame = frames.take() {
      guard let jpeg = try? frame.jpeg(within: Self.width) else { continue }
      state.withLock { state in
        state.newest = PreviewPicture(number: (state.newest?.number ?? 0) + 1, jpeg: jpeg)
        state.madeAt = .now
      }
    }
  }
}
