package import HoldfastMediaModel

/// What a journal holds of a broadcast's life. No entry has a place for an address or a stream key.
package enum JournalEntry: Hashable, Sendable {
  case began(Beginning)
  /// The recording goes to this file from here on: the first one, or a further part with other tracks.
  /// What lies at `origin` on the media time line is at 0 in it.
  case recording(path: String, tracks: TracksFingerprint, origin: MediaTime = .zero)
  case live(PublishType)
  /// From now on this output's server is asked to append.
  case outputAccepted(String)
  /// `cause` as event lines write it. The media time line stands still at `mediaAt`.
  case interrupted(cause: String, mediaAt: MediaTime, resumableUntil: WallTime?)
  /// The media time line goes on from `mediaAt`; behind a crash, too.
  case resumed(mediaAt: MediaTime)
  /// What the recording or an output lacks though media time went on. What an interruption costs is told by its ends.
  case gap(Gap)
  /// The broadcast is alive, and its media time has come so far.
  case checkpoint(MediaTime)
  /// A session of limited time has begun, has been extended, or its time stands still or goes on.
  case session(JournaledSession)
  /// These tracks are muted from now on, and no others.
  case muted(Set<TrackKind>)
  /// What the gate has said. `verdict` as event lines write it.
  case gate(verdict: String, reason: String?)
  /// It can't be resumed any more, but may not be finished yet.
  case backgrounded
  /// All of it is finished.
  case ended(reason: String)

  /// What a broadcast is known by.
  package struct Beginning: Hashable, Sendable {
    /// The version of the journal's own format.
    package static let currentSchema = 1

    package var schema: Int
    package var broadcast: String
    package var name: String
    /// Where the recording goes; nil where there is none, or its path is told later.
    package var recording: String?
    package var tracks: TracksFingerprint?

    package init(
      broadcast: String, name: String, recording: String? = nil, tracks: TracksFingerprint? = nil,
      schema: Int = currentSchema
    ) {
      self.schema = schema
      self.broadcast = broadcast
      self.name = name
      self.recording = recording
      self.tracks = tracks
    }
  }

  /// A start would decide differently without it, so it has to outlive a power cut.
  package var isTransition: Bool {
    switch self {
    case .began, .recording, .live, .outputAccepted, .interrupted, .resumed, .session, .muted, .backgrounded,
      .ended:
      true
    case .gap, .checkpoint, .gate: false
    }
  }
}
