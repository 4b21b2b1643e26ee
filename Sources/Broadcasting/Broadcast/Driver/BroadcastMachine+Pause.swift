import HoldfastMediaModel
import HoldfastRecording

/// Interruptions: stopping and resuming media time.
extension BroadcastMachine {
  /// The time for the lanes to report `stopped`.
  static let pauseTimeout = MediaTime.milliseconds(150)
  /// The maximum time to wait for encoders that are behind.
  static let maxPauseDelay = MediaTime.seconds(1)
  private static let pauseCheckInterval = MediaTime.milliseconds(5)
  /// The time for outputs to reconnect before media time resumes without them.
  static let reconnectTimeout = MediaTime.milliseconds(400)

  mutating func pause(at now: Instant) -> [Action] {
    switch state {
    // `pauseMedia` has to be the last action.
    case .onAir: return pauseMedia(at: now) + reportAir() + [.pauseMedia]
    case .reconnecting(let interruption, _, _): return [.cancelTimer(.reconnect)] + disconnect(interruption)
    case .resuming(let interruption, let cause):
      state = .cancellingResume(interruption, cause)
      return [.pauseMedia]
    case .paused: return [.answer(.paused)]
    case .awaitingAcceptance:
      // Nothing goes out meanwhile, even if the answer comes too late.
      state = .open
      return [.command(.pause), .answer(.nothingBegun)]
    case .idle, .opening, .open, .preparing: return [.answer(.nothingBegun)]
    case .pausingMedia, .disconnecting, .cancellingResume, .endingMedia, .ending, .ended: return []
    }
  }

  private mutating func pauseMedia(at now: Instant) -> [Action] {
    state = .pausingMedia(OpenInterruption(since: now.monotonic, wallSince: now.wall), tracks.running)
    return [.setTimer(.pause, after: Self.pauseTimeout)]
  }

  mutating func mediaPaused(_ start: MediaStart?, at now: Instant) -> [Action] {
    if case .endingMedia = state, start == nil { return finishEndingMedia() }
    if case .pausingMedia = state, start == nil, !hasMediaBegun {
      state = .open
      return [.cancelTimer(.pause), .command(.pause), .answer(.nothingBegun)]
    }
    guard case .cancellingResume(let interruption, let cause) = state else { return [] }
    // Media time has not resumed, so both interruptions are one gap.
    guard let start else { return disconnect(interruption) }
    losses.clock.begin(start, at: now)
    return mediaStarted(start, after: interruption, cause, at: now) + pauseMedia(at: now)
  }

  mutating func mediaStopped(in track: TrackKind) -> [Action] {
    if case .endingMedia(var running) = state {
      running.remove(track)
      state = .endingMedia(running)
      return running.isEmpty ? finishEndingMedia() : []
    }
    guard case .pausingMedia(let interruption, var running) = state else { return [] }
    running.remove(track)
    state = .pausingMedia(interruption, running)
    return running.isEmpty ? [.cancelTimer(.pause)] + finishPausingMedia(interruption) : []
  }

  /// Waits longer while captured media is still being encoded.
  mutating func pauseTimedOut(isBehind: Bool, at now: Instant) -> [Action] {
    if case .endingMedia = state { return finishEndingMedia() }
    guard case .pausingMedia(let interruption, var running) = state else { return [] }
    if isBehind, now.monotonic < interruption.since + Self.maxPauseDelay {
      return [.setTimer(.pause, after: Self.pauseCheckInterval)]
    }
    guard running.remove(.video) != nil, running.contains(.audio) else {
      return finishPausingMedia(interruption)
    }
    // The sound has waited for the picture that ends media time.
    state = .pausingMedia(interruption, running)
    return [.media(.pauseWithoutPicture), .setTimer(.pause, after: Self.pauseTimeout)]
  }

  private mutating func finishPausingMedia(_ interruption: OpenInterruption) -> [Action] {
    if recording.isActive { recording.flushes += 1 }
    return [.media(.pauseWithoutPicture)] + disconnect(interruption)
      + (recording.isActive ? [.flushRecorder] : [])
  }

  private mutating func disconnect(_ interruption: OpenInterruption) -> [Action] {
    state = .disconnecting(interruption)
    return [.command(.pause)] + finishPausing()
  }

  /// Enters `paused` once the recording is on disk. A return waits for no output that is still leaving.
  mutating func finishPausing() -> [Action] {
    guard case .disconnecting(let interruption) = state, recording.flushes == 0 else { return [] }
    state = .paused(interruption)
    return [.answer(.paused)]
  }

  mutating func resume(after cause: Gap.Cause) -> [Action] {
    let begin: [Action]
    let interruption: OpenInterruption
    switch state {
    case .pausingMedia(let open, _):
      (begin, interruption) = ([.cancelTimer(.pause), .media(.pauseWithoutPicture)], open)
    case .disconnecting(let open), .paused(let open): (begin, interruption) = ([], open)
    // Never past a gate: only what was going live before.
    case .open where hasPublished: return goLive()
    case .idle, .opening, .open, .preparing, .awaitingAcceptance, .onAir, .reconnecting, .resuming,
      .cancellingResume, .endingMedia, .ending, .ended:
      return []
    }
    let leaving = outputs.connected
    outputs.beginAttempts()
    state = .reconnecting(interruption, outputs.accepted.subtracting(leaving), cause)
    return begin + [.command(.publish), .setTimer(.reconnect, after: Self.reconnectTimeout)]
      + resumeMedia()
  }

  /// The first attempt of `output` after the interruption is decided.
  mutating func reconnected(_ output: String) -> [Action] {
    guard case .reconnecting(let interruption, var awaited, let cause) = state else { return [] }
    awaited.remove(output)
    state = .reconnecting(interruption, awaited, cause)
    return resumeMedia()
  }

  mutating func resumeMedia(hasTimedOut: Bool = false) -> [Action] {
    guard case .reconnecting(let interruption, let awaited, let cause) = state, awaited.isEmpty || hasTimedOut
    else { return [] }
    state = .resuming(interruption, cause)
    return [.cancelTimer(.reconnect), .request(.keyframe), .media(.run)]
  }

  mutating func mediaStarted(_ start: MediaStart, at now: Instant) -> [Action] {
    losses.clock.begin(start, at: now)
    guard case .resuming(let interruption, let cause) = state else {
      let isFirst = !hasMediaBegun
      hasMediaBegun = true
      return isFirst ? [.answer(.mediaBegan)] + reportLive() : []
    }
    return mediaStarted(start, after: interruption, cause, at: now)
  }

  private mutating func mediaStarted(
    _ start: MediaStart, after interruption: OpenInterruption, _ cause: Gap.Cause, at now: Instant
  ) -> [Action] {
    state = .onAir
    let (gap, length) = losses.add(interruption, cause, endedBy: start, settings.tracks, at: now)
    let mediaAt = interruption.mediaAt ?? start.mediaTime
    return [
      .write(.resumed(mediaAt: mediaAt, gap: gap.id), ago: now.monotonic - start.at), .report(.gap(gap)),
      .report(.resumed(publishType: settings.publishType == .live ? .live : .append, gap: length)),
    ]
  }
}
