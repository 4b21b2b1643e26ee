internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

// MARK: - Anything but a device

extension Feed where Taken: ~Copyable {
  /// Opened when the broadcast was prepared, or else now.
  func play(for run: Run) {
    guard let receiver = state.withLock({ $0.receiver }) else { return }
    do throws(CaptureError) {
      let source = if let opened = takeSource() { opened } else { try run.origin.open() }
      guard receiver.isReady(run.stop) else { return end(receiver, nil, of: run) }
      var isOpen = false
      try source.run(run.stop) { taken in
        if !isOpen { settings.report(.opened(settings.track, summary: source.summary)) }
        isOpen = true
        deliver(taken, of: run)
      }
      end(receiver, nil, of: run)
    } catch {
      end(receiver, error, of: run)
    }
  }

  /// Another source that has taken its place goes on.
  private func end(_ receiver: FeedReceiver<Taken>, _ error: CaptureError?, of run: Run) {
    let isItsOwn = state.withLock { state in
      guard state.run === run else { return false }
      state.hasEnded = true
      return true
    }
    if isItsOwn { receiver.end(error) }
  }
}

// MARK: - Devices

extension Feed where Taken: ~Copyable {
  /// How often a device that is away is looked for.
  private static var searchInterval: MediaTime { .milliseconds(250) }

  /// How a run of the device came to its end.
  private enum End {
    case stopped
    /// It gave nothing at all.
    case empty(CaptureError)
    /// It is away; something stands in for it, where that can be.
    case lost(Filler<Taken, Shape>?)
  }

  /// Captures the source that is open.
  func capture(for run: Run) {
    run.hold(takeSource())
    capture(for: run) { source, _ in
      state.withLock { $0.hasBegun = true }
      _ = run.beginning.offer(.begun)
      settings.report(.opened(settings.track, summary: source.summary))
      return true
    }
  }

  /// `begin` is asked, until it says that it begins.
  func capture(for run: Run, begin: (Source, borrowing Taken) -> Bool) {
    switch runOnce(run, begin: begin) {
    case .stopped: _ = run.beginning.offer(.begun)
    case .empty(let error): _ = run.beginning.offer(.failed(error))
    case .lost(let filler): captureAgain(filler, for: run)
    }
  }

  func captureAgain(after error: CaptureError, for run: Run) {
    captureAgain(goAway(error, run), for: run)
  }

  /// Something stands in for the device until it gives something again; as often as it goes.
  private func captureAgain(_ first: Filler<Taken, Shape>?, for run: Run) {
    var filler = first
    var isBusy = false
    while !run.stop.wait(until: .now + Self.searchInterval) {
      do throws(CaptureError) {
        try run.open()
      } catch {
        if error.kind == .busy, !isBusy { report(.busy(error), of: run) }
        isBusy = error.kind == .busy
        continue
      }
      let end = runOnce(run) { [filler] source, _ in
        filler?.stop()
        state.withLock { if $0.run === run { $0.shape = source.shape } }
        report(.back(settings.track, summary: source.summary), of: run)
        return true
      }
      guard case .lost(let next) = end else { continue }
      filler = next
      isBusy = false
    }
    filler?.stop()
  }

  /// Runs the source that is open, and closes it.
  private func runOnce(_ run: Run, begin: (Source, borrowing Taken) -> Bool) -> End {
    guard let source = run.takeSource() else { return .stopped }
    var hasBegun = false
    do throws(CaptureError) {
      try source.run(run.stop) { taken in
        if !hasBegun { hasBegun = begin(source, taken) }
        if hasBegun { deliver(taken, of: run) }
      }
      return .stopped
    } catch {
      // Before it is closed, which a frozen driver may hold up.
      return hasBegun ? .lost(goAway(error, run)) : .empty(error)
    }
  }

  private func goAway(_ error: CaptureError, _ run: Run) -> Filler<Taken, Shape>? {
    report(.lost(error), of: run)
    let standIn = state.withLock { $0.run === run ? $0.shape : nil }.flatMap(settings.standIn)
    return standIn.flatMap { try? Filler($0) { [self] in deliver($0, of: run, isStandIn: true) } }
  }

  /// What becomes of a source that another one has replaced is of no interest.
  private func report(_ event: FeedEvent, of run: Run) {
    if state.withLock({ $0.run === run }) { settings.report(event) }
  }
}
