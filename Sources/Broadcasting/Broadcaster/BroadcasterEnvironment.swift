package import HoldfastCapture
package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastPublishing
package import HoldfastRecording

/// The side effects of a broadcaster. Answers arrive as events.
package protocol BroadcasterEnvironment {
  /// Requests are carried out in order.
  mutating func request(_ request: SourceRequest)
  /// Measures the sources while there is no broadcast.
  mutating func preview(_ isOn: Bool)
  /// Begins a broadcast of the open sources; the first one resumes the interrupted broadcast.
  mutating func openBroadcast(_ number: Int, id: String)
  /// False if the broadcast no longer accepts requests.
  mutating func post(_ request: BroadcastRequest, to broadcast: Int) -> Bool
  /// Returns once the entry is in the journal, or its disk is too slow.
  mutating func write(_ entry: JournalEntry, toJournalOf broadcast: Int)
  mutating func release(_ broadcast: Int, _ outcome: Broadcast.Outcome)
  /// Finishes the interrupted broadcast without resuming it.
  mutating func discardInterrupted(_ reason: BroadcastEvent.EndReason)
  /// Answered by `gateAnswered`, unless withdrawn.
  mutating func askGate(_ number: Int, about broadcast: Int, _ occasion: BroadcastInfo.Occasion)
  mutating func cancelGate()
  mutating func report(_ observation: Broadcast.Observation)
  mutating func publish(_ status: BroadcasterStatus)
  /// Blocks until an event arrives; may return early without one.
  mutating func wait(for inbox: Inbox<BroadcasterEvent>, until deadline: MonotonicTime?) -> BroadcasterEvent?
}

package enum SourceRequest: Sendable {
  /// Answered by `opened` or `failed`, which leaves nothing open.
  case open(Int)
  /// Accepted while sources are being opened. Answered by `closed`.
  case close
  /// Switches a track's source before the deadline. Answered by `switched`.
  case change(SourceChange, until: MonotonicTime)
}

/// Events of a broadcaster's driver. Numbers are those of the answered requests.
package enum BroadcasterEvent: Sendable {
  case lifecycle(Lifecycle.Event)
  /// Ignored after `until`, when the caller no longer waits.
  case request(BroadcasterRequest, until: MonotonicTime)
  /// `atRest` is called once nothing is open or being written, unless the foreground returns first.
  case background(atRest: @Sendable () -> Void)
  case opened(Int, OpenTracks)
  case failed(Int, CaptureError)
  case closed
  case source(FeedEvent)
  /// The error if nothing has changed.
  case switched(ChangeError?)
  case broadcast(Int, BroadcastAnswer)
  case gateAnswered(Int, GateError?)
  case changed(BroadcastEvent)
  case configured(Configuration)
  case send(CustomEvent)
}

package enum BroadcasterRequest: Sendable {
  case command(Lifecycle.Command, answer: @Sendable (Lifecycle.CommandResult) -> Void)
  /// Repeating a `request` has no effect.
  case extend(by: MediaTime, request: String, answer: @Sendable (ExtensionAnswer) -> Void)
  case switchSource(SourceChange, answer: SourceSwitches.Answer)
}

package struct BroadcasterStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  package var broadcast: String?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast failed or did not begin.
  package var failure: BroadcastError?
}

package struct OpenTracks: Hashable, Sendable {
  package let all: Set<TrackKind>
  /// Tracks without a stand-in.
  package let essential: Set<TrackKind>

  package init(_ all: Set<TrackKind>, essential: Set<TrackKind> = []) {
    self.all = all
    self.essential = essential
  }

  /// True if nothing can be broadcast without the lost tracks.
  func isInterrupted(without lost: Set<TrackKind>) -> Bool {
    !lost.isEmpty && (lost == all || !lost.isDisjoint(with: essential))
  }
}
