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
    var waiting: [Promise<PreviewPicture>] = []

    /// Returns the newest recent picture; requests another.
    mutating func request(at now: MonotonicTime) -> PreviewPicture? {
      if requestedAt.map({ now - $0 >= PreviewPictures.interval }) ?? true {
        requestedAt = now
        isRequested = true
      }
      guard let madeAt, now - madeAt <= PreviewPictures.maxAge else { return nil }
      return newest
    }
  }

  private let state = Locked(State())
  private let frames = BoundedQueue<Frame>(capacity: 1)
  private let thread = ThreadSlot()

  private static let interval = MediaTime.milliseconds(200)
  private static let maxAge = MediaTime.seconds(2)
  private static let width = 640

  /// Returns the newest recent picture at once; requests another.
  func request() -> PreviewPicture? { state.withLock { $0.request(at: .now) } }

  /// Returns the newest recent picture, or waits for the next; nil after `deadline`.
  func next(until deadline: MonotonicTime) -> PreviewPicture? {
    let promise = Promise<PreviewPicture>()
    let newest = state.withLock { state in
      let newest = state.request(at: .now)
      if newest == nil { state.waiting.append(promise) }
      return newest
    }
    if let newest { return newest }
    defer { state.withLock { $0.waiting.removeAll { $0 === promise } } }
    return promise.take(until: deadline)
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
      try thread.start(name: "preview", priority: .background) { [self] in make() }
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
    while let frame = frames.take() {
      guard let jpeg = try? frame.jpeg(within: Self.width) else { continue }
      state.withLock { state in
        let picture = PreviewPicture(number: (state.newest?.number ?? 0) + 1, jpeg: jpeg)
        (state.newest, state.madeAt) = (picture, .now)
        for promise in state.waiting { promise.fulfil(picture) }
        state.waiting = []
      }
    }
  }
}
