internal import HoldfastCapture
internal import HoldfastLifecycle
internal import HoldfastMediaModel

// MARK: - What sources tell

extension BroadcasterDriver {
  mutating func opened(_ number: Int, _ tracks: OpenTracks) {
    changing -= 1
    self.tracks = tracks
    unopened = []
    resumeAfterCrash()
    handle(.devicesOpened(number))
    // One may have gone at once.
    if tracks.isInterrupted(without: lost) { handle(.interruptionBegan(.device)) }
    if machine.state == .previewing { environment.preview(true) }
  }

  /// Devices that have never been there end the start; others are waited for.
  mutating func failed(_ number: Int, _ error: CaptureError) {
    changing -= 1
    let isNews = unopened.insert(error.track).inserted
    if isNews { tell(of: error) }
    handle(.devicesFailed(number))
    guard case .ended(.noDevice) = machine.state else {
      if isNews { note(of: error) }
      return
    }
    status.failure = .capture(error)
    say(.ended(reason: .failed, duration: .zero, gaps: 0))
  }

  mutating func handle(_ event: FeedEvent) {
    switch event {
    case .opened(let track, let summary): tellOpen(track, .open, summary)
    case .lost(let error):
      lost.insert(error.track)
      tell(of: error)
      note(of: error)
      if tracks?.isInterrupted(without: lost) == true { handle(.interruptionBegan(.device)) }
    case .busy(let error):
      tell(of: error)
      note(of: error)
    case .back(let track, let summary): giveAgain(track, .back, summary)
    case .changed(let track, let summary): giveAgain(track, .open, summary)
    }
  }

  mutating func endSwitch(_ error: ChangeError?) {
    guard let (chosen, answer) = switches.end(error) else { return }
    if let chosen {
      status.choices = switches.choices
      environment.keep(chosen)
      say(.source(track: chosen.track, source: chosen.source))
    }
    answer(error)
  }

  private mutating func giveAgain(
    _ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String
  ) {
    lost.remove(track)
    tellOpen(track, state, summary)
    if tracks?.isInterrupted(without: lost) == false { handle(.interruptionEnded(.device)) }
  }

  private mutating func tellOpen(_ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String) {
    environment.report(.note("\(track.rawValue): \(summary)"))
    say(.device(track: track, state: state, cause: nil))
  }

  private mutating func note(of error: CaptureError) {
    environment.report(.note("\(error.track.rawValue) is away: \(error)"))
  }

  private mutating func tell(of error: CaptureError) {
    say(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
  }
}

extension Gap.Cause {
  init(_ cause: Lifecycle.Cause) {
    switch cause {
    case .user: self = .user
    case .system: self = .system
    case .device: self = .device
    case .crash: self = .crash
    }
  }
}

extension BroadcastEvent.EndReason {
  init(_ reason: Lifecycle.EndReason) {
    switch reason {
    case .stopped: self = .stopped
    case .duration: self = .duration
    case .sourceEnded: self = .sourceEnded
    case .failed, .noDevice: self = .failed
    case .gateRefused: self = .gateRefused
    case .gateTimedOut: self = .gateTimedOut
    case .background: self = .background
    case .windowClosed: self = .windowClosed
    case .interruptedStart: self = .interruptedStart
    }
  }
}
