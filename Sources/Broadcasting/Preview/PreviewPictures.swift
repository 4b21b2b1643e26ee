import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

package struct PreviewPicture: Sendable {
  package let number: Int
  package let jpeg: [UInt8]
}

/// Makes preview pictures on request on its own thread, at most five a second. Holds no frames in between: a
/// camera has few buffers.
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
  private static let maxAge = MediaTime.seconds(2)
  private static let width = 640

  /// Returns the newest recent picture at once; requests another.
  func request(at now: MonotonicTime = .now) -> PreviewPicture? {
    state.withLock { state in
      if state.requestedAt.map({ now - $0 >= Self.interval }) ?? true {
        state.requestedAt = now
        state.isRequested = true
      }
      guard let madeAt = state.madeAt, now - madeAt <= Self.maxAge else { return nil }
      return state.newest
    }
  }

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
      // Releases the frame: a camera has few buffers.
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
