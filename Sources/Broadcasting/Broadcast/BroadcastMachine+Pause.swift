import HoldfastMediaModel
import HoldfastRecording

/// Interruptions: stopping and resuming media time.
extension BroadcastMachine {
  /// The time for the lanes to report `held`.
  static let holdTimeout = MediaTime.milliseconds(150)
  /// The maximum time to wait for encoders that are behind.
  static let longestHold = MediaTime.seconds(1)
  private static let holdCheckInterval = MediaTime.milliseconds(5)
  /// The time for outputs to reconnect before media time resumes without them.
  static let returnTimeout = MediaTime.milliseconds(400)

  mutating func pause(at now: Instant) -> [Action] {
    switch state {
    case .onAir: return hold(at: now) + [.media(.pause)]
    case .returning(let interruption, _, _): return [.cancelTimer(.outputsReturn)] + leave(interruption)
    case .resuming(let interruption, let cause):
      state = .revoking(interruption, cause)
      return [.media(.pause)]
    case .idle, .opening, .awaitingAttempts, .awaitingGoLive, .paused: return [.answer(.paused)]
    case .holding, .leaving, .revoking, .draining, .ended: return []
    }
  }

  private mutating func hold(at now: Instant) -> [Action] {
    state = .holding(OpenInterruption(since: now.monotonic, wallSince: now.wall), tracks.running)
    return [.setTimer(.hold, after: Self.holdTimeout)]
  }

  mutating func mediaPaused(_ start: MediaStart?, at now: Instant) -> [Action] {
    guard case .revoking(let interruption, let cause) = state else { return [] }
    // Media time has not resumed, so both interruptions are one gap.
    guard let start else { return leave(interruption) }
    return mediaBegan(start, after: interruption, cause, at: now) + hold(at: now)
  }

  mutating func held(_ track: TrackKind) -> [Action] {
    guard case .holding(let interruption, var unheld) = state else { return [] }
    unheld.remove(track)
    state = .holding(interruption, unheld)
    return unheld.isEmpty ? [.cancelTimer(.hold)] + leaveAll(interruption) : []
  }

  /// Waits longer while captured media is still being encoded.
  mutating func holdTimedOut(isBehind: Bool, at now: Instant) -> [Action] {
    guard case .holding(let interruption, _) = state else { return [] }
    if isBehind, now.monotonic < interruption.since + Self.longestHold {
      return [.setTimer(.hold, after: Self.holdCheckInterval)]
    }
    return leaveAll(interruption)
  }

  private mutating func leaveAll(_ interruption: OpenInterruption) -> [Action] {
    if recording.goesOn { flushes += 1 }
    return [.media(.hold)] + leave(interruption) + (recording.goesOn ? [.flushRecorder] : [])
  }

  private mutating func leave(_ interruption: OpenInterruption) -> [Action] {
    state = .leaving(interruption, outputs.connected)
    return [.command(.pause)] + rest()
  }

  mutating func left(_ output: String) -> [Action] {
    guard case .leaving(let interruption, var awaited) = state else { return [] }
    awaited.remove(output)
    state = .leaving(interruption, awaited)
    return rest()
  }

  /// Enters `paused` once all outputs have left and the recording is on disk.
  mutating func rest() -> [Action] {
    guard case .leaving(let interruption, let awaited) = state, awaited.isEmpty, flushes == 0 else {
      return []
    }
    state = .paused(interruption)
    return [.answer(.paused)]
  }

  mutating func resume(after cause: Gap.Cause) -> [Action] {
    let begin: [Action]
    let interruption: OpenInterruption
    switch state {
    case .holding(let open, _): (begin, interruption) = ([.cancelTimer(.hold), .media(.hold)], open)
    case .leaving(let open, _), .paused(let open): (begin, interruption) = ([], open)
    case .idle, .opening, .awaitingAttempts, .awaitingGoLive, .onAir, .returning, .resuming, .revoking,
      .draining, .ended:
      return []
    }
    state = .returning(interruption, outputs.accepted, cause)
    return begin + [.command(.resume), .setTimer(.outputsReturn, after: Self.returnTimeout)]
      + outputsReturned()
  }

  /// The first attempt of `output` after the interruption is decided.
  mutating func returned(_ output: String) -> [Action] {
    guard case .returning(let interruption, var awaited, let cause) = state else { return [] }
    awaited.remove(output)
    state = .returning(interruption, awaited, cause)
    return outputsReturned()
  }

  mutating func outputsReturned(isTimeOver: Bool = false) -> [Action] {
    guard case .returning(let interruption, let awaited, let cause) = state, awaited.isEmpty || isTimeOver
    else { return [] }
    state = .resuming(interruption, cause)
    return [.cancelTimer(.outputsReturn), .request(.keyframe), .media(.run)]
  }

  mutating func mediaBegan(_ start: MediaStart, at now: Instant) -> [Action] {
    guard case .resuming(let interruption, let cause) = state else { return [] }
    return mediaBegan(start, after: interruption, cause, at: now)
  }

  private mutating func mediaBegan(
    _ start: MediaStart, after interruption: OpenInterruption, _ cause: Gap.Cause, at now: Instant
  ) -> [Action] {
    state = .onAir
    let (gap, length) = losses.add(interruption, cause, endedBy: start, settings.tracks, at: now.wall)
    let mediaAt = interruption.mediaAt ?? start.mediaTime
    return [
      .write(.resumed(mediaAt: mediaAt), ago: now.monotonic - start.at), .report(.gap(gap)),
      .report(.resumed(publishType: settings.publishType == .live ? .live : .append, gap: length)),
    ]
  }
}
