internal import HoldfastCapture
internal import HoldfastLifecycle
internal import HoldfastMediaModel

// MARK: - What devices tell

extension BroadcasterRun {
  mutating func handle(_ event: Devices.Event) {
    switch event {
    case .opened(let number, let feeds):
      changing -= 1
      self.feeds = feeds
      unopened = []
      resumeAfterCrash()
      handle(.devicesOpened(number))
      // One may have gone at once.
      if feeds.isInterrupted(without: lost) { handle(.interruptionBegan(.device)) }
      if machine.state == .previewing { preview = Preview(feeds) }
    case .failed(let number, let error):
      changing -= 1
      fail(number, error)
    case .closed:
      changing -= 1
      lost = []
    case .feed(let event): handle(event)
    case .switched(let error): endSwitch(error)
    }
  }

  /// Devices that have never been there end the start; others are waited for.
  private mutating func fail(_ number: Int, _ error: CaptureError) {
    let isNews = unopened.insert(error.track).inserted
    if isNews { tell(of: error) }
    handle(.devicesFailed(number))
    guard case .ended(.noDevice) = machine.state else {
      if isNews { note(of: error) }
      return
    }
    failure = .capture(error)
    say(.ended(reason: .failed, duration: .zero, gaps: 0))
  }

  private mutating func handle(_ event: FeedEvent) {
    switch event {
    case .opened(let track, let summary): tellOpen(track, .open, summary)
    case .lost(let error):
      lost.insert(error.track)
      tell(of: error)
      note(of: error)
      guard feeds?.isInterrupted(without: lost) == true else { return }
      handle(.interruptionBegan(.device))
    case .busy(let error):
      tell(of: error)
      note(of: error)
    case .back(let track, let summary): giveAgain(track, .back, summary)
    case .changed(let track, let summary): giveAgain(track, .open, summary)
    }
  }

  private mutating func giveAgain(
    _ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String
  ) {
    lost.remove(track)
    tellOpen(track, state, summary)
    guard feeds?.isInterrupted(without: lost) == false else { return }
    handle(.interruptionEnded(.device))
  }

  private func tellOpen(_ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String) {
    surroundings.observe(.note("\(track.rawValue): \(summary)"))
    say(.device(track: track, state: state, cause: nil))
  }

  private func note(of error: CaptureError) {
    surroundings.observe(.note("\(error.track.rawValue) is away: \(error)"))
  }

  private func tell(of error: CaptureError) {
    say(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
  }
}
