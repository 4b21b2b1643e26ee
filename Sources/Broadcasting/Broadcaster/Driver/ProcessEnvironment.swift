package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRecording

/// The side effects of a process's broadcaster. Answers arrive as events.
package protocol ProcessEnvironment {
  /// Requests are carried out in order.
  mutating func request(_ request: SourceRequest)
  /// Measures the sources while there is no broadcast.
  mutating func preview(_ isOn: Bool)
  /// Begins a broadcast of the open sources; the first one resumes the interrupted broadcast.
  mutating func openBroadcast(_ number: BroadcastNumber, id: String)
  /// False if the broadcast no longer accepts requests.
  mutating func post(_ request: BroadcastRequest, to broadcast: BroadcastNumber) -> Bool
  /// Returns once the entry is in the journal, or its disk is too slow.
  mutating func write(_ entry: JournalEntry, toJournalOf broadcast: BroadcastNumber)
  /// Waits for the thread of the broadcast, which has ended.
  mutating func release(_ broadcast: BroadcastNumber, _ outcome: Broadcast.Outcome)
  /// Finishes the interrupted broadcast without resuming it.
  mutating func discardInterrupted(_ reason: BroadcastEvent.EndReason)
  /// Keeps for a later process that the user has taken this one off air, or no longer. Returns once it is on disk,
  /// or the disk is too slow.
  mutating func keep(_ word: LastWord)
  /// Answered by `gateBegan` once the gate runs and by `gateAnswered`, unless cancelled.
  mutating func askGate(_ number: Int, about broadcast: BroadcastNumber, _ occasion: BroadcastInfo.Occasion)
  mutating func cancelGate()
  mutating func report(_ observation: Broadcast.Observation)
  mutating func publish(_ status: ProcessStatus)
  /// A query, answered at once.
  func instant(at now: Instant) -> JournalInstant
  /// Blocks until an event arrives; may return early without one.
  mutating func wait(for inbox: Inbox<ProcessEvent>, until deadline: MonotonicTime?) -> ProcessEvent?
}

package enum SourceRequest: Sendable {
  /// Answered by `opened` or `failed`, which leaves nothing open.
  case open(Int)
  /// Accepted while sources are being opened. Answered by `closed`.
  case close
  /// Switches a track's source before the deadline. Answered by `switched`.
  case change(SourceChange, until: MonotonicTime)
}

package struct ProcessStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  /// The end of the last interruption's resume window.
  package var resumableUntil = WallTime(nanoseconds: 0)
  package var broadcast: String?
  /// Since when the user keeps the process off air.
  package var offAir: OffAirRecord?
  /// The same, if it was an earlier process that the user took off air.
  package var returnedOffAir: OffAirRecord?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast failed or did not begin.
  package var failure: BroadcastError?
}
