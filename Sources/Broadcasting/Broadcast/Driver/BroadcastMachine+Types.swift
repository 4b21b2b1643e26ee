package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPublishing
package import HoldfastRecording

extension BroadcastMachine {
  package struct Settings: Sendable {
    package struct KnownOutput: Hashable, Sendable {
      let id: String
      let url: String
      /// The output's key in the journal.
      let journalKey: String
      /// Its server accepted this broadcast from an earlier process.
      let wasAccepted: Bool
      /// A broadcast that it never had counts as delivered all the same.
      let isOptional: Bool

      package init(id: String, url: String, journalKey: String, wasAccepted: Bool, isOptional: Bool = false) {
        self.id = id
        self.url = url
        self.journalKey = journalKey
        self.wasAccepted = wasAccepted
        self.isOptional = isOptional
      }
    }

    package var tracks: Set<TrackKind>
    package var outputs: [KnownOutput]
    package var isRecorded: Bool
    package var publishType: PublishType
    package var bitrate: Int
    /// The broadcast ends at a set media time, not with its first track.
    package var hasDuration: Bool
    /// A broadcast fails if one of its outputs never publishes.
    package var requiresAllOutputs = false
    var renditions: [PlannedRendition] = []
    /// The bitrates of what outputs share that may have an encode of their own.
    var sharedBitrates: [String: Int] = [:]
    /// What viewers of the live stream may choose.
    var viewable: [PlannedRendition] = []
    package var resumed: Resumed?

    package init(
      tracks: Set<TrackKind>, outputs: [KnownOutput], isRecorded: Bool, publishType: PublishType,
      bitrate: Int, hasDuration: Bool, requiresAllOutputs: Bool = false, resumed: Resumed?
    ) {
      self.tracks = tracks
      self.outputs = outputs
      self.isRecorded = isRecorded
      self.publishType = publishType
      self.bitrate = bitrate
      self.hasDuration = hasDuration
      self.requiresAllOutputs = requiresAllOutputs
      self.resumed = resumed
    }
  }

  /// The state of an interrupted broadcast that resumes after a crash.
  package struct Resumed: Sendable {
    let interruption: OpenInterruption
    let mediaEnd: MediaTime
    var interruptions: [Gap] = []
    var gaps: [Gap] = []
    /// Losses that the crash has cut off.
    var cutLosses: [Gap] = []
    var recordingPath: String?

    package init(_ interruption: OpenInterruption, mediaEnd: MediaTime) {
      self.interruption = interruption
      self.mediaEnd = mediaEnd
    }
  }

  package enum State: Sendable {
    case idle
    /// Requests are deferred until the parts are open.
    case opening([BroadcastRequest])
    case open
    /// The outputs connect without publishing.
    case preparing
    /// Nothing is recorded, and no output has been accepted yet: media time has not begun.
    case awaitingAcceptance
    case onAir
    /// Media captured before the interruption is still being encoded in these tracks.
    case pausingMedia(OpenInterruption, Set<TrackKind>)
    /// The outputs are disconnecting, and the recorder flushes.
    case disconnecting(OpenInterruption)
    case paused(OpenInterruption)
    case reconnecting(OpenInterruption, Set<String>, Gap.Cause)
    case resuming(OpenInterruption, Gap.Cause)
    /// A pause was requested before media time was known to have resumed.
    case cancellingResume(OpenInterruption, Gap.Cause)
    /// Media time is stopping for good; these tracks have not stopped yet.
    case endingMedia(Set<TrackKind>)
    case ending(wasOnAir: Bool)
    case ended
  }

  package enum Event: Sendable {
    case started
    case request(BroadcastRequest)
    case opened
    case openingFailed(BroadcastError)
    case networkChanged
    /// All losses in progress; several times a second.
    case lossesRead([RunningLoss])
    /// Each output's oldest undelivered media of each track, at this media time.
    case deliveriesRead(undelivered: [String: [TrackKind: MediaTime]], at: MediaTime)
    /// What viewers of the live stream watch or await.
    case viewersRead(Set<RenditionID>)
    /// A few times a second, if encodes may begin.
    case loadRead(EncodingLoad)
    case lane(LaneEvent)
    case recorder(Recorder.Event)
    case output(String, Output.Event)
    /// Answers `pauseMedia` with the start of media time; nil if it was not running.
    case mediaPaused(MediaStart?)
    case pauseTimedOut(isBehind: Bool)
    case reconnectTimedOut
    case drainTimedOut
    /// Answers `finish`: everything has ended and been reported.
    case finished(mediaTime: MediaTime)
  }

  package enum Timer: Int, Sendable {
    case pause, reconnect, drain
  }

  package enum Action: Sendable {
    /// Opens and starts all parts. Answered by `opened` or `openingFailed`.
    case open
    case media(MediaCommand)
    /// Stops media time with the next picture. Answered by `mediaPaused`, and by each lane's `stopped`.
    case pauseMedia
    case command(OutputCommand)
    /// Answered by the recorder's `flushed`.
    case flushRecorder
    case request(EncoderRequest)
    case refuseViewers(RenditionID, why: String)
    case write(JournalEntry, ago: MediaTime = .zero)
    /// Written with the current media time.
    case writeInterrupted(Lifecycle.Cause, until: WallTime)
    case report(BroadcastEvent)
    case note(String)
    case warning(String)
    case answer(BroadcastAnswer)
    case setTimer(Timer, after: MediaTime)
    case cancelTimer(Timer)
    /// Ends all parts in the order of the media flow. Answered by `finished`.
    case finish
  }
}

package enum MediaCommand: Sendable {
  /// Starts or resumes with the next picture. Answered by a lane's `started`.
  case run
  /// Stops even if no picture has arrived.
  case pauseWithoutPicture
}

package enum OutputCommand: Sendable {
  case prepare
  /// Publish, or continue after a pause.
  case publish
  case pause, networkChanged
  case send(CustomEvent)
  case limitBitrate(BitrateController.Limits)
  /// The output at the session publishes there; nil: nowhere.
  case move(SessionOutput, to: OutputAddress?)
}

package enum BroadcastRequest: Sendable {
  /// Connects the outputs without publishing. Answered by `prepared`.
  case prepare
  /// Publishes and records; fails if every output was refused and nothing is recorded.
  case goLive
  /// Stops media time, drains the encoders, then disconnects the outputs and flushes the recorder. Answered by
  /// `paused` or `nothingBegun`.
  case pause
  /// Reports the interruption after everything that happened before it.
  case reportInterrupted(Lifecycle.Cause, until: WallTime)
  case resume(after: Gap.Cause)
  case stop(BroadcastEvent.EndReason)
  case limitBitrate(BitrateController.Limits)
  case send(CustomEvent)
  case move(SessionOutput, to: OutputAddress?)
}

package enum BroadcastAnswer: Sendable {
  /// Each output is connected or refused, or has failed once.
  case prepared
  case mediaBegan
  /// The recording has begun, or without one an output publishes.
  case wentLive
  /// Everything captured before the pause has been sent and written.
  case paused
  /// Media time has not begun, so there is nothing to resume.
  case nothingBegun
  /// The broadcast has ended for this reason.
  case over(BroadcastEvent.EndReason)
  /// The last answer: no part of the broadcast is running.
  case ended(Broadcast.Outcome)
}

package struct OpenInterruption: Hashable, Sendable {
  let since: MonotonicTime
  let wallSince: WallTime
  /// Known only for an interruption of another process.
  var cause: Gap.Cause?
  /// The media time at which it began; nil if the timeline determines it.
  var mediaAt: MediaTime?
  /// Additional loss of each track.
  var extraLoss: [TrackKind: MediaTime] = [:]

  package init(
    since: MonotonicTime, wallSince: WallTime, cause: Gap.Cause? = nil, mediaAt: MediaTime? = nil,
    extraLoss: [TrackKind: MediaTime] = [:]
  ) {
    self.since = since
    self.wallSince = wallSince
    self.cause = cause
    self.mediaAt = mediaAt
    self.extraLoss = extraLoss
  }
}
