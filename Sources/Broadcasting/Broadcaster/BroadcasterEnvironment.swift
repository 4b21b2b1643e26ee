package import HoldfastCapture
package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastPublishing
package import HoldfastRecording

/// What a broadcaster needs of the world. No verb answers at once: answers come as events.
package protocol BroadcasterEnvironment {
  /// The sources do one thing after another.
  mutating func request(_ request: SourceRequest)
  /// Watches what the sources give while there is no broadcast.
  mutating func preview(_ isOn: Bool)
  /// Makes a broadcast of the open sources and lets its outputs connect; the first one resumes what a crash has left.
  mutating func begin(_ number: Int, id: String)
  /// False where the broadcast takes nothing any more.
  mutating func post(_ request: BroadcastRequest, to broadcast: Int) -> Bool
  /// Returns once the entry is in the broadcast's journal, or its disk is too slow: nothing is reported before.
  mutating func write(_ entry: JournalEntry, toJournalOf broadcast: Int)
  /// The broadcast has given its last answer.
  mutating func release(_ broadcast: Int, _ outcome: Broadcast.Outcome)
  /// Finishes what a crash has left, which is not resumed.
  mutating func discardInterrupted(_ reason: BroadcastEvent.EndReason)
  /// Answered by `gateAnswered`, unless it is withdrawn.
  mutating func askGate(_ number: Int, about broadcast: Int, _ occasion: BroadcastInfo.Occasion)
  mutating func withdrawGate()
  mutating func report(_ observation: Broadcast.Observation)
  /// All that others may see of the driver.
  mutating func publish(_ status: BroadcasterStatus)
  /// Blocks until an event arrives; may return early without one.
  mutating func wait(for inbox: Inbox<BroadcasterEvent>, until deadline: MonotonicTime?) -> BroadcasterEvent?
}

/// What a broadcaster asks of its sources.
package enum SourceRequest: Sendable {
  /// Answered by `opened` or `failed`, which leaves nothing open.
  case open(Int)
  /// Also while they are being opened. Answered by `closed`.
  case close
  /// Another source takes a track's place, by then or not at all. Answered by `switched`.
  case change(SourceChange, until: MonotonicTime)
}

/// What a broadcaster's driver is told. The numbers are those of the verbs that are answered.
package enum BroadcasterEvent: Sendable {
  case lifecycle(Lifecycle.Event)
  /// Does nothing after `until`, when nobody waits for the answer any more.
  case request(BroadcasterRequest, until: MonotonicTime)
  /// `atRest` is called once nothing is open or being written, unless it becomes active before.
  case background(atRest: @Sendable () -> Void)
  case opened(Int, OpenTracks)
  case failed(Int, CaptureError)
  case closed
  case source(FeedEvent)
  /// Nil, or why all is as it was.
  case switched(ChangeError?)
  case broadcast(Int, BroadcastAnswer)
  /// Nil where the gate lets it pass.
  case gateAnswered(Int, GateError?)
  /// Something was changed that is no business of the machine's.
  case changed(BroadcastEvent)
  case configured(Configuration)
  case send(CustomEvent)
}

/// What is answered to somebody who waits for it.
package enum BroadcasterRequest: Sendable {
  case command(Lifecycle.Command, answer: @Sendable (Lifecycle.CommandResult) -> Void)
  /// The same `request` does nothing twice.
  case extend(by: MediaTime, request: String, answer: @Sendable (ExtensionAnswer) -> Void)
  case switchSource(SourceChange, answer: SourceSwitches.Answer)
}

/// What others may see of a broadcaster's driver.
package struct BroadcasterStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  /// The broadcast that there is, or was last; nil before the first.
  package var broadcast: String?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast could not go on, or did not begin.
  package var failure: BroadcastError?
}

/// The tracks of the sources that are open.
package struct OpenTracks: Hashable, Sendable {
  package let all: Set<TrackKind>
  /// Nothing can stand in for these.
  package let essential: Set<TrackKind>

  package init(_ all: Set<TrackKind>, essential: Set<TrackKind> = []) {
    self.all = all
    self.essential = essential
  }

  /// Without these there is nothing to broadcast.
  func isInterrupted(without lost: Set<TrackKind>) -> Bool {
    !lost.isEmpty && (lost == all || !lost.isDisjoint(with: essential))
  }
}
