package import HoldfastMediaModel
internal import HoldfastPlatform

/// What a journal holds of a broadcast's life. No entry has a place for an address or a stream key.
package enum JournalEntry: Hashable, Sendable {
  case began(Beginning)
  /// The recording goes to this file from here on: the first one, or a further part with other tracks.
  /// What lies at `origin` on the media time line is at 0 in it. `tracks` is their fingerprint.
  case recording(path: String, tracks: String, origin: MediaTime = .zero)
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
    package var tracks: String?

    package init(
      broadcast: String, name: String, recording: String? = nil, tracks: String? = nil,
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

/// How far a session has come whose time is limited, as a journal holds it.
package struct JournaledSession: Hashable, Sendable {
  /// Since it went live.
  package var elapsed: MediaTime
  /// What of that does not count.
  package var uncounted: MediaTime
  /// How long it may last.
  package var length: MediaTime
  /// What it was extended by, by the request's id. An entry has those alone that no earlier one has.
  package var requests: [String: MediaTime]

  package init(
    elapsed: MediaTime, uncounted: MediaTime, length: MediaTime, requests: [String: MediaTime] = [:]
  ) {
    self.elapsed = elapsed
    self.uncounted = uncounted
    self.length = length
    self.requests = requests
  }

  /// So many requests fit on a line, whatever their ids.
  private static let maxOnALine = 50

  /// The same in as many parts as there have to be lines for it.
  package var parts: [JournaledSession] {
    let all = requests.sorted { $0.key < $1.key }
    guard all.count > Self.maxOnALine else { return [self] }
    return stride(from: 0, to: all.count, by: Self.maxOnALine).map { start in
      var part = self
      let some = all[start..<min(start + Self.maxOnALine, all.count)]
      part.requests = Dictionary(uniqueKeysWithValues: some.map { ($0.key, $0.value) })
      return part
    }
  }
}

extension [Track] {
  /// A digest of codecs, formats and headers, the same in any order. A bitrate may change within a recording.
  package var fingerprint: String {
    var bytes: [UInt8] = []
    for track in sorted(by: { $0.codec.rawValue < $1.codec.rawValue }) {
      let head =
        switch track.format {
        case .video(let format): "\(track.codec.rawValue) \(format.size)"
        case .audio(let format): "\(track.codec.rawValue) \(format.sampleRate) \(format.channels)"
        }
      // The length keeps one track's headers apart from the next one's head.
      bytes += "\(head) \(track.headers.count):".utf8
      bytes += track.headers
    }
    return hexadecimal(sha256(bytes))
  }
}
