import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

extension Feed where Item: ~Copyable {
  private static var searchInterval: MediaTime { .milliseconds(250) }
  /// The maximum time that the old source continues during a switch, until the new one starts.
  private static var overlap: MediaTime { .milliseconds(300) }
  /// In a switch to a file, items older than this are skipped.
  private static var latest: MediaTime { .milliseconds(100) }

  /// Captures the source until it ends or is stopped; a lost device is reopened until it is back.
  func capture(_ run: Run, missing error: CaptureError?) {
    if let error { handle(.deviceMissing(run.number, error)) } else { captureOnce(run) }
    while state.withLock({ $0.machine.isSearching(for: run.number) }),
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
      try source.run(run.stop) { item in
        if !hasBegun { hasBegun = begin(run, source, item) }
        if hasBegun { deliver(item, of: run) }
      }
      guard run.origin.isDevice, !run.stop.isSignalled else { return handle(.finished(run.number)) }
      throw refusal("it has come to its end", .lost, hint: "have it go on until it is stopped")
    } catch {
      // Reported before the source is closed, because a frozen driver may block that.
      handle(.failed(run.number, error))
    }
  }

  /// Starts delivery with this item; false if the item is to be skipped.
  private func begin(_ run: Run, _ source: Source, _ item: borrowing Item) -> Bool {
    if state.withLock({ $0.machine.isSwitching(to: run.number) }) {
      let start = settings.span(item, source.properties)?.lowerBound
      // Skips ahead in a file that is already on air.
      if run.origin.file != nil, let start, start + Self.latest < .now { return false }
      awaitOldSource(start, run.stop)
    }
    let (hasBegun, actions) = state.withLock { state in
      let actions = state.machine.handle(.delivered(run.number, summary: source.summary))
      guard state.machine.number == run.number else { return (false, actions) }
      state.origin = run.origin
      state.properties = source.properties
      state.prepared = nil
      return (true, actions)
    }
    perform(actions)
    return hasBegun
  }

  /// Waits until the old source has delivered up to `start`.
  private func awaitOldSource(_ start: MonotonicTime?, _ stop: Wakeup) {
    guard let start else { return }
    let limit = MonotonicTime.now + Self.overlap
    while let end = state.withLock({ $0.deliveredUntil }), end < start, end + Self.overlap > start,
      .now < limit
    {
      if stop.wait(until: .now + .milliseconds(2)) { return }
    }
  }
}

// MARK: - Source switches

extension Feed where Item: ~Copyable {
  /// Switches to `origin` once it delivers its first item; throws and leaves everything unchanged if that
  /// does not happen by `limit`. The returned closure joins the old source's thread, which may block.
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

  func abandonChange() {
    handle(.switchAbandoned(refusal("is not wanted any more", hint: "ask again")))
  }
}
