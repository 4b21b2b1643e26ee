internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

// What a source's own thread does.

extension Feed where Taken: ~Copyable {
  /// How often a device that is away is looked for.
  private static var searchInterval: MediaTime { .milliseconds(250) }
  /// When another source takes its place, the old one is gone on with for so long at most, until it has come to where the
  /// new one begins.
  private static var overlap: MediaTime { .milliseconds(300) }
  /// What a file that takes another source's place gives later than that is left out.
  private static var latest: MediaTime { .milliseconds(100) }

  /// Captures the source, which is `missing` already or open; a device that is lost is opened again until it is back.
  func capture(_ run: Run, missing error: CaptureError?) {
    if let error { handle(.missed(run.number, error)) } else { captureOnce(run) }
    while state.withLock({ $0.machine.isLookedFor(run.number) }),
      !run.stop.wait(until: .now + Self.searchInterval)
    {
      captureOnce(run)
    }
    run.stopStandIn()
  }

  private func captureOnce(_ run: Run) {
    let source: Source
    do throws(CaptureError) {
      source = if let opened = run.takeSource() { opened } else { try run.origin.open() }
    } catch {
      return handle(.couldNotOpen(run.number, error))
    }
    if !run.origin.isDevice, state.withLock({ $0.receiver })?.isReady(run.stop) != true {
      return handle(.finished(run.number))
    }
    var hasBegun = false
    do throws(CaptureError) {
      try source.run(run.stop) { taken in
        if !hasBegun { hasBegun = begin(run, source, taken) }
        if hasBegun { deliver(taken, of: run) }
      }
      guard run.origin.isDevice, !run.stop.isSignalled else { return handle(.finished(run.number)) }
      throw refusal("it has come to its end", .lost, hint: "have it go on until it is stopped")
    } catch {
      // Before it is closed, which a frozen driver may hold up.
      handle(.failed(run.number, error))
    }
  }

  /// False while what it gives is to be left out.
  private func begin(_ run: Run, _ source: Source, _ taken: borrowing Taken) -> Bool {
    if state.withLock({ $0.machine.isSwitching(to: run.number) }) {
      let start = settings.span(taken, source.shape)?.lowerBound
      // A file that is on air already is caught up with.
      if run.origin.file != nil, let start, start + Self.latest < .now { return false }
      awaitOld(start, run.stop)
    }
    let (hasBegun, actions) = state.withLock { state in
      let actions = state.machine.handle(.gave(run.number, summary: source.summary))
      guard state.machine.number == run.number else { return (false, actions) }
      state.origin = run.origin
      state.shape = source.shape
      state.prepared = nil
      return (true, actions)
    }
    carryOut(actions)
    return hasBegun
  }

  /// Waits until what the old source gives reaches to `start`.
  private func awaitOld(_ start: MonotonicTime?, _ stop: Wakeup) {
    guard let start else { return }
    let limit = MonotonicTime.now + Self.overlap
    while let end = state.withLock({ $0.takenUntil }), end < start, end + Self.overlap > start, .now < limit {
      if stop.wait(until: .now + .milliseconds(2)) { return }
    }
  }
}
