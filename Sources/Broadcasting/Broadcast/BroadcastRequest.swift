package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing

/// What the broadcaster asks of a broadcast that runs.
package enum BroadcastRequest: Sendable {
  /// Media time begins, unless no output and no recording would get it.
  case goLive
  /// Media time stands still. What was captured is encoded, sent and written; then the outputs leave their servers.
  case pause
  /// Reports the interruption after everything that happened before it.
  case reportInterrupted(Lifecycle.Cause, until: WallTime)
  /// Media time goes on where it stood.
  case resume(after: Gap.Cause)
  /// Ends the broadcast: what was captured is still encoded, recorded and sent.
  case stop(BroadcastEvent.EndReason)
  case limitBitrate(BitrateController.Limits)
  /// Sends the event to the viewers, beside picture and sound.
  case send(CustomEvent)
}

/// What a broadcast answers its broadcaster.
package enum BroadcastAnswer: Sendable {
  /// Each output has been accepted, refused or has failed once: it may go live.
  case attemptsDecided
  /// After `pause`: everything captured before has been sent and written.
  case paused
  /// It ends, or has ended, for this reason.
  case over(BroadcastEvent.EndReason)
  /// The last answer: nothing of it runs any more.
  case ended(Broadcast.Outcome)
}
