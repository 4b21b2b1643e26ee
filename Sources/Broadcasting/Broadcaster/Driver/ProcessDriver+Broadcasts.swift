import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// Requests to the broadcasts, and their answers.
extension ProcessDriver {
  mutating func post(_ request: BroadcastRequest) {
    if let newest = broadcasts.newest { _ = environment.post(request, to: newest) }
  }

  mutating func write(_ entry: JournalEntry) {
    if let newest = broadcasts.newest { environment.write(entry, toJournalOf: newest) }
  }

  mutating func advance(to stage: RunningBroadcast.Stage, _ request: BroadcastRequest) {
    broadcasts.advanceNewest(to: stage)
    post(request)
  }

  mutating func handle(_ answer: BroadcastAnswer, of number: BroadcastNumber) {
    guard let broadcast = broadcasts[number] else { return }
    if case .ended(let outcome) = answer { return end(number, broadcast.stage, outcome) }
    guard number == broadcasts.newest else { return }
    switch (answer, broadcast.stage) {
    case (.prepared, .preparing(let prepare)): handle(.prepared(prepare))
    case (.mediaBegan, _): advanceSession(.wentLive)
    case (.wentLive, _): handle(.wentLive)
    case (.paused, .pausing(let pause)): handle(.paused(pause))
    case (.nothingBegun, .pausing(let pause)): handle(.nothingBegun(pause))
    case (.over(let reason), .open), (.over(let reason), .preparing), (.over(let reason), .onAir),
      (.over(let reason), .pausing):
      switch reason {
      case .duration: handle(.maxDurationReached)
      case .sourceEnded: handle(.sourcesEnded)
      case .failed: handle(.failed)
      case .stopped, .sessionOver, .background, .windowClosed, .interruptedStart, .crash, .gateRefused,
        .gateTimedOut:
        break
      }
    case (.prepared, _), (.paused, _), (.nothingBegun, _), (.over, .closing), (.ended, _): break
    }
  }

  private mutating func end(
    _ number: BroadcastNumber, _ stage: RunningBroadcast.Stage, _ outcome: Broadcast.Outcome
  ) {
    broadcasts.remove(number)
    environment.release(number, outcome)
    if !broadcasts.areClosing { announce() }
    guard case .closing(let close, let refusal) = stage else { return status.failure = outcome.failure }
    status.failure = outcome.failure ?? refusal.map(BroadcastError.gate)
    handle(.closed(close))
  }
}
