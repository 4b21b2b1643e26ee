import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

extension Feed where Item: ~Copyable {
  private static var searchInterval: MediaTime { .milliseconds(250) }
  /// The maximum time that the old source continues during a switch, until the new one starts.
  private static var overlap: MediaTime { .milliseconds(300) }
  /// In a switch to a file, items older than this are skipped.
  private static var maxAge: MediaTime { .milliseconds(100) }

  /// Captures the source until it ends or is stopped; a lost device is reopened until it is back.
  func capture(_ thread: Thread, missing error: CaptureError?) {
    if let error { handle(.deviceMissing(thread.number, error)) } else { captureOnce(thread) }
    while state.withLock({ $0.machine.isSearching(for: thread.number) }),
      !thread.stop.wait(until: .now + Self.searchInterval)
    {
      captureOnce(thread)
    }
    thread.stopStandIn()
  }

  private func captureOnce(_ thread: Thread) {
    let source: Source
    do throws(CaptureError) {
      source = if let opened = thread.takeSource() { opened } else { try thread.origin.open(thread.stop) }
    } catch {
      return handle(.couldNotOpen(thread.number, error))
    }
    if !thread.origin.outlivesBroadcasts, state.withLock({ $0.receivers.lane })?.isReady(thread.stop) != true
    {
      return handle(.finished(thread.number))
    }
    var hasBegun = false
    do throws(CaptureError) {
      try source.run(thread.stop) { item in
        if !hasBegun { hasBegun = begin(thread, source, item) }
        if hasBegun { deliver(item, of: thread) }
      }
      guard thread.origin.outlivesBroadcasts, !thread.stop.isSignalled else {
        return handle(.finished(thread.number))
      }
      throw failure(
        "the source ended without being asked to stop", .lost, hint: "deliver until asked to stop")
    } catch {
      // Reported before the source is closed, because a frozen driver may block that.
      handle(.failed(thread.number, error))
    }
  }

  /// Starts delivery with this item; false if the item is to be skipped.
  private func begin(_ thread: Thread, _ source: Source, _ item: borrowing Item) -> Bool {
    if state.withLock({ $0.machine.isSwitching(to: thread.number) }) {
      let start = settings.span(item, source.properties)?.lowerBound
      // Skips ahead in a file that is already on air.
      if thread.origin.file != nil, let start, start + Self.maxAge < .now { return false }
      awaitOldSource(start, thread.stop)
    }
    let (hasBegun, actions) = state.withLock { state in
      let actions = decide(.delivered(thread.number, summary: source.summary), in: &state)
      guard state.machine.number == thread.number else { return (false, actions) }
      state.current.origin = thread.origin
      state.current.properties = source.properties
      state.current.prepared = nil
      return (true, actions)
    }
    perform(actions)
    return hasBegun
  }

  /// Waits until the old source has delivered up to `start`.
  private func awaitOldSource(_ start: MonotonicTime?, _ stop: Wakeup) {
    guard let start else { return }
    let limit = MonotonicTime.now + Self.overlap
    while let end = state.withLock({ $0.current.deliveredUntil }), end < start, end + Self.overlap > start,
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
    if state.withLock({ $0.receivers.lane != nil && $0.machine.hasEnded }) {
      throw failure("the track has ended", hint: "start another broadcast")
    }
    let thread: Thread
    do throws(CaptureError) {
      try origin.network?.attach(track)
      thread = try makeThread(origin, try origin.open(nil))
    } catch {
      origin.network?.detach(track)
      throw error
    }
    let isOpen = state.withLock { state in
      _ = state.machine.handle(.switchRequested(to: thread.number))
      guard state.machine.isSwitching(to: thread.number) else {
        state.current.origin = origin
        return false
      }
      state.threads[thread.number] = thread
      return true
    }
    guard isOpen else {
      thread.keep(nil)
      return {}
    }
    var answer: Result<Void, CaptureError>?
    do throws(CaptureError) {
      try run(thread)
      answer = thread.firstItem.take(until: limit)
    } catch {
      answer = .failure(error)
    }
    let silence = failure("the new source has delivered nothing", hint: "test it with another program")
    handle(.switchAbandoned(silence))
    let (isOnAir, others) = state.withLock { state in
      let isOnAir = state.machine.number == thread.number
      let others = state.threads.filter { ($0.key == thread.number) != isOnAir }.map(\.value)
      for other in others { state.threads[other.number] = nil }
      return (isOnAir, others)
    }
    guard isOnAir else {
      thread.stop.signal()
      join(thread)
      origin.network?.detach(track)
      if case .failure(let error) = answer { throw error }
      throw silence
    }
    return { [self] in
      for other in others {
        join(other)
        other.origin.network?.detach(track)
      }
    }
  }

  func abandonChange() {
    handle(.switchAbandoned(failure("the switch was cancelled", hint: "request it again")))
  }
}
