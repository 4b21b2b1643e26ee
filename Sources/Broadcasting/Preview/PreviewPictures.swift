internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The newest picture as a JPEG file.
package struct PreviewPicture: Sendable {
  /// Grows by one with each that is made.
  package let number: Int
  package let jpeg: [UInt8]
}

/// Makes preview pictures on request, on a thread of its own, at most five a second.
///
/// Between two of them nothing is kept of what passes by: a camera has few buffers.
final class PreviewPictures: Sendable {
  private struct State {
    var isRequested = false
    var requestedAt: MonotonicTime?
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

  /// The newest one that has been made lately, at once; requests another.
  func request(at now: MonotonicTime = .now) -> PreviewPicture? {
    state.withLock { state in
      if state.requestedAt.map({ now - $0 >= Self.interval }) ?? true {
        state.requestedAt = now
        state.isRequested = true
      }
      guard let madeAt = state.madeAt, now - madeAt <= Self.longestAge else { return nil }
      return state.newest
    }
  }

  /// Takes the picture where one has been requested.
  func offer(_ frame: borrowing Frame) {
    let (isRequested, isFirst) = state.withLock { state in
      guard state.isRequested, !state.isFinished else { return (false, false) }
      state.isRequested = false
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    guard isRequested, let hold = try? frame.reference() else { return }
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
