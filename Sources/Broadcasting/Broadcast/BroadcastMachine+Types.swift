package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

extension BroadcastMachine {
  package struct Settings: Sendable {
    package struct Output: Hashable, Sendable {
      let id: String
      /// The address without its secrets.
      let url: String
      /// What the journal calls it.
      let mark: String
      /// Its server has taken this broadcast from another process.
      let wasAccepted: Bool

      package init(id: String, url: String, mark: String, wasAccepted: Bool) {
        self.id = id
        self.url = url
        self.mark = mark
        self.wasAccepted = wasAccepted
      }
    }

    package var tracks: Set<TrackKind>
    package var outputs: [Output]
    package var isRecorded: Bool
    package var publishType: PublishType
    package var bitrate: Int
    /// It ends at a set media time, and not with the first of its tracks.
    package var hasDuration: Bool
    /// What a crash has left; nil for a new broadcast.
    package var resumed: Resumed?

    package init(
      tracks: Set<TrackKind>, outputs: [Output], isRecorded: Bool, publishType: PublishType, bitrate: Int,
      hasDuration: Bool, resumed: Resumed?
    ) {
      self.tracks = tracks
      self.outputs = outputs
      self.isRecorded = isRecorded
      self.publishType = publishType
      self.bitrate = bitrate
      self.hasDuration = hasDuration
      self.resumed = resumed
    }
  }

  /// Where a broadcast goes on that a crash has interrupted.
  package struct Resumed: Sendable {
    let interruption: OpenInterruption
    let mediaEnd: MediaTime
    var interruptions: [Gap] = []
    var gaps: [Gap] = []
    var recordingPath: String?

    package init(_ interruption: OpenInterruption, mediaEnd: MediaTime) {
      self.interruption = interruption
      self.mediaEnd = mediaEnd
    }
  }

  package enum State: Sendable {
    case idle
    /// These requests wait for that.
    case opening([BroadcastRequest])
    /// Not all outputs have been accepted, refused or have failed once.
    case awaitingAttempts
    case awaitingGoLive
    case onAir
    /// What was captured before the interruption is on its way through the encoders of these tracks.
    case holding(OpenInterruption, Set<TrackKind>)
    /// These outputs leave, and the recorder flushes.
    case leaving(OpenInterruption, Set<String>)
    case paused(OpenInterruption)
    case returning(OpenInterruption, Set<String>, Gap.Cause)
    /// Media time goes on with the next picture, however long that takes.
    case resuming(OpenInterruption, Gap.Cause)
    /// Asked to pause before it was known whether media time has gone on.
    case revoking(OpenInterruption, Gap.Cause)
    case draining(wasOnAir: Bool)
    case ended
  }

  package enum Event: Sendable {
    case started
    case request(BroadcastRequest)
    /// Everything is open, and runs.
    case opened
    case openingFailed(BroadcastError)
    case networkChanged
    case lane(LaneEvent)
    case recorder(Recorder.Event)
    case output(String, Output.Event)
    /// Answers `media(.pause)`: since when media time had run; nil where it had not gone on yet.
    case mediaPaused(MediaStart?)
    case holdTimedOut(isBehind: Bool)
    case returnTimedOut
    case drainTimedOut
    /// Answers `finish`: nothing runs any more, and everything is reported.
    case finished(mediaTime: MediaTime)
  }

  package enum Timer: Int, Sendable {
    case hold, outputsReturn, drain
  }

  package enum Action: Sendable {
    /// Opens everything and starts it. Answered by `opened` or `openingFailed`.
    case open
    case media(MediaCommand)
    case command(OutputCommand)
    /// Answered by the recorder's `paused`.
    case flushRecorder
    case request(EncoderRequest)
    case write(JournalEntry, ago: MediaTime = .zero)
    /// Written with the present media time.
    case writeInterrupted(Lifecycle.Cause, until: WallTime)
    case report(BroadcastEvent)
    case note(String)
    case answer(BroadcastAnswer)
    case setTimer(Timer, after: MediaTime)
    case cancelTimer(Timer)
    /// Ends everything in the order in which media flows. Answered by `finished`.
    case finish
  }
}

/// What is asked of media time.
package enum MediaCommand: Sendable {
  /// It begins or goes on with the next picture. Answered by a lane's `began`.
  case run
  /// It ends with the next picture. Answered by `mediaPaused`, and by each lane's `held`.
  case pause
  /// It stands still, even where no picture has come.
  case hold
}

/// What is asked of all outputs.
package enum OutputCommand: Sendable {
  case pause, resume, networkChanged
  case send(CustomEvent)
  case limitBitrate(BitrateController.Limits)
}

/// What the broadcaster asks of a broadcast that runs.
package enum BroadcastRequest: Sendable {
  /// Media time begins, unless no output and no recording would get it.
  case goLive
  /// Media time stands still. What was captured is encoded, sent and written; then the outputs leave their servers.
  case pause
  /// Reports the interruption after everything that happened before it.
  case reportInterrupted(Lifecycle.Cause, until: WallTime)
  case resume(after: Gap.Cause)
  /// Ends the broadcast: what was captured is still encoded, recorded and sent.
  case stop(BroadcastEvent.EndReason)
  case limitBitrate(BitrateController.Limits)
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
