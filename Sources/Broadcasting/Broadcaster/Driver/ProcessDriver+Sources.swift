package import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaSources

// MARK: - Source events

extension ProcessDriver {
  mutating func opened(_ number: Int, _ tracks: OpenTracks) {
    sources.opened(tracks)
    resumeAfterCrash()
    handle(.devicesOpened(number))
    // A device may have been lost already.
    if sources.areInterrupted { handle(.interruptionBegan(.device)) }
    if machine.state == .previewing { environment.preview(true) }
  }

  /// Devices that never delivered end the start; others are waited for.
  mutating func failed(_ number: Int, _ error: CaptureError) {
    let isFirst = sources.failedToOpen(error.track)
    if isFirst { report(.device(error)) }
    handle(.devicesFailed(number))
    guard case .ended(.noDevice) = machine.state else {
      if isFirst { note(error) }
      return
    }
    status.failure = .capture(error)
    report(.ended(reason: .failed, duration: .zero, gaps: 0))
  }

  mutating func handle(_ event: FeedEvent) {
    switch event {
    case .opened(let track, let summary): reportOpen(track, .open, summary)
    case .lost(let error):
      if !error.isRemote { sources.lost(error.track) }
      report(.device(error))
      note(error)
      if sources.areInterrupted { handle(.interruptionBegan(.device)) }
    case .busy(let error):
      report(.device(error))
      note(error)
    case .back(let track, let summary): returned(track, .back, summary)
    case .changed(let track, let summary): returned(track, .open, summary)
    case .tile(let name, let track, let state, let cause):
      report(.programme(.tile(name, track, state, cause: cause)))
    }
  }

  mutating func endSwitch(_ error: ChangeError?) {
    guard let (chosen, answer) = switches.end(error) else { return }
    if let chosen {
      status.choices = switches.choices
      report(.source(track: chosen.track, source: chosen.source))
    }
    answer(error)
  }

  private mutating func returned(_ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String) {
    sources.returned(track)
    reportOpen(track, state, summary)
    if !sources.areInterrupted { handle(.interruptionEnded(.device)) }
  }

  private mutating func reportOpen(_ track: TrackKind, _ state: BroadcastEvent.DeviceState, _ summary: String)
  {
    environment.report(.note("\(track.rawValue): \(summary)"))
    report(.device(track: track, state: state, cause: nil))
  }

  private mutating func note(_ error: CaptureError) {
    environment.report(.warning("\(error.track.rawValue) source unavailable: \(error)"))
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
  package init(_ reason: Lifecycle.EndReason) {
    switch reason {
    case .stopped: self = .stopped
    case .duration: self = .duration
    case .sessionOver: self = .sessionOver
    case .sourceEnded: self = .sourceEnded
    case .failed, .noDevice, .startTimedOut: self = .failed
    case .gateRefused, .gateNotBegun: self = .gateRefused
    case .gateTimedOut: self = .gateTimedOut
    case .background: self = .background
    case .windowClosed: self = .windowClosed
    case .interruptedStart: self = .interruptedStart
    }
  }
}
