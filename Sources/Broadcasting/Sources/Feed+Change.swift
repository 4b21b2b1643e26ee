internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

extension Feed where Taken: ~Copyable {
  /// The old source is gone on with for so long at most, until it has come to where the new one begins.
  private static var overlap: MediaTime { .milliseconds(300) }

  /// What a file gives later than that is left out.
  private static var latest: MediaTime { .milliseconds(100) }

  /// Another source takes the place of the one that there is as soon as it gives something; throws, and leaves all as it
  /// is, where it does not do so in time. What is returned closes the old one, which may take a while.
  func change(to origin: Origin, until limit: MonotonicTime) throws(CaptureError) -> () -> Void {
    let isOver = state.withLock { $0.receiver != nil && $0.hasEnded }
    guard !isOver else { throw refusal("has come to its end", hint: "start another broadcast") }
    let run = try newRun(of: origin)
    try run.open()
    guard state.withLock({ $0.isOpen }) else {
      state.withLock {
        $0.origin = origin
        $0.hasBegun = false
      }
      run.hold(nil)
      return {}
    }
    state.withLock { $0.candidate = run }
    do throws(CaptureError) {
      try start(run) { $0.takeOver(run) }
    } catch {
      _ = giveUp(run)
      throw error
    }
    let answer = run.beginning.take(until: limit)
    guard giveUp(run) else {
      let old = state.withLock { $0.replaced.take() }
      return { old?.thread.join() }
    }
    run.stop.signal()
    run.thread.join()
    if case .failed(let error) = answer { throw error }
    throw refusal("has given nothing yet", hint: "see whether it works elsewhere")
  }

  /// A change that is under way comes to nothing.
  func abandonChange() {
    let candidate = state.withLock { $0.candidate }
    _ = candidate?.beginning.offer(.failed(refusal("is not wanted any more", hint: "ask again")))
  }

  /// False where it has taken over already.
  private func giveUp(_ run: Run) -> Bool {
    state.withLock { state in
      if state.candidate === run { state.candidate = nil }
      return state.run !== run
    }
  }

  private func takeOver(_ run: Run) {
    capture(for: run) { source, taken in
      let start = settings.span(taken, source.shape)?.lowerBound
      // A file that is on air already is caught up with.
      if run.origin.file != nil, let start, start + Self.latest < .now { return false }
      awaitOld(start, run.stop)
      let (hasTakenOver, old) = state.withLock { state -> (Bool, Run?) in
        guard state.candidate === run else { return (false, nil) }
        let old = state.run
        state.replaced = old
        state.candidate = nil
        state.run = run
        state.origin = run.origin
        state.shape = source.shape
        state.source = nil
        state.hasBegun = true
        return (true, old)
      }
      guard hasTakenOver else { return false }
      old?.stop.signal()
      settings.report(.changed(settings.track, summary: source.summary))
      _ = run.beginning.offer(.begun)
      return true
    }
  }

  /// Waits until what the old source gives reaches to `start`.
  private func awaitOld(_ start: MonotonicTime?, _ stop: StopSignal) {
    guard let start else { return }
    let limit = MonotonicTime.now + Self.overlap
    while let end = state.withLock({ $0.takenUntil }), end < start, end + Self.overlap > start, .now < limit {
      if stop.wait(until: .now + .milliseconds(2)) { return }
    }
  }

  private func refusal(_ what: String, hint: String) -> CaptureError {
    CaptureError(.unsuitable, settings.track, device: settings.track.rawValue, what: what, hint: hint)
  }
}
