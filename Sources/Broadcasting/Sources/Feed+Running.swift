internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

// What a source's own thread does.

extension Feed where Taken: ~Copyable {
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
    perform(actions)
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

// MARK: - Another source

extension Feed where Taken: ~Copyable {
  /// Another source takes the place of the one that there is as soon as it gives something; throws, and leaves all as it
  /// is, where it does not do so in time. What is returned waits for the old one's end, which may take a while.
  func change(to origin: Origin, until limit: MonotonicTime) throws(CaptureError) -> () -> Void {
    if state.withLock({ $0.receiver != nil && $0.machine.hasEnded }) {
      throw refusal("has come to its end", hint: "start another broadcast")
    }
    let run = try makeRun(origin, try origin.open())
    let isOpen = state.withLock { state in
      _ = state.machine.handle(.switchRequested(to: run.number))
      guard state.machine.isSwitching(to: run.number) else {
        state.origin = origin
        return false
      }
      state.runs[run.number] = run
      return true
    }
    guard isOpen else {
      run.hold(nil)
      return {}
    }
    var answer: CaptureError??
    do throws(CaptureError) {
      try startThread(of: run)
      answer = run.beginning.take(until: limit)
    } catch {
      answer = error
    }
    let silence = refusal("has given nothing yet", hint: "see whether it works elsewhere")
    handle(.switchAbandoned(silence))
    let (isOnAir, others) = state.withLock { state in
      let isOnAir = state.machine.number == run.number
      let others = state.runs.filter { ($0.key == run.number) != isOnAir }.map(\.value)
      for other in others { state.runs[other.number] = nil }
      return (isOnAir, others)
    }
    guard isOnAir else {
      run.stop.signal()
      run.thread.join()
      throw (answer ?? nil) ?? silence
    }
    return { for other in others { other.thread.join() } }
  }

  /// A change that is under way comes to nothing.
  func abandonChange() {
    handle(.switchAbandoned(refusal("is not wanted any more", hint: "ask again")))
  }
}
