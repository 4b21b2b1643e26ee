package import HoldfastMediaModel
import HoldfastPlatform

/// An event in the life of a broadcast. By design no entry can contain an address or a stream key.
package enum JournalEntry: Hashable, Sendable {
  case began(Beginning)
  /// The recording continues in this file, in which media time `origin` is 0. `tracks` is their fingerprint.
  case recording(path: String, tracks: String, origin: MediaTime = .zero)
  case live(PublishType)
  /// From now on this output's server is requested to append.
  case outputAccepted(String)
  /// `cause` as in event lines. The media timeline stops at `mediaAt`.
  case interrupted(cause: String, mediaAt: MediaTime, resumableUntil: WallTime?)
  /// The media timeline continues at `mediaAt`, also after a crash. `gap` is the id of the interruption's gap.
  case resumed(mediaAt: MediaTime, gap: Int? = nil)
  /// Media that the recording or an output lacks though media time advanced.
  case gap(Gap)
  /// Such a loss has begun; the gap with its id ends it.
  case losing(Gap)
  /// The broadcast is alive, at this media time. `behind` are outputs, each with its oldest undelivered media of each
  /// track.
  case checkpoint(MediaTime, behind: [String: [TrackKind: MediaTime]] = [:])
  /// A session of limited time began, was extended, paused or resumed.
  case session(JournaledSession)
  case muted(Set<TrackKind>)
  /// The gate's decision. `verdict` as in event lines.
  case gate(verdict: String, reason: String?, by: String? = nil)
  /// The broadcast can no longer be resumed, but may not be finished yet.
  case backgrounded
  case ended(Ending)
  /// The end has been reported.
  case reported

  package struct Beginning: Hashable, Sendable {
    package static let currentSchema = 1

    package var schema: Int
    package var broadcast: String
    package var name: String
    /// Nil without a recording, or if an entry names its path later.
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

  package struct Ending: Hashable, Sendable {
    package var reason: String
    /// Nil in a journal of an earlier version.
    package var duration: MediaTime?
    package var gaps: Int

    package init(reason: String, duration: MediaTime? = nil, gaps: Int = 0) {
      (self.reason, self.duration, self.gaps) = (reason, duration, gaps)
    }
  }

  /// Whether recovery depends on the entry, so that it must survive a power cut.
  package var isTransition: Bool {
    switch self {
    case .began, .recording, .live, .outputAccepted, .interrupted, .resumed, .session, .muted, .backgrounded,
      .ended:
      true
    case .gap, .losing, .checkpoint, .gate, .reported: false
    }
  }
}

/// The state of a session of limited time.
package struct JournaledSession: Hashable, Sendable {
  package var elapsed: MediaTime
  /// The part of `elapsed` that does not count.
  package var uncounted: MediaTime
  package var length: MediaTime
  /// Extensions by request id; only those that no earlier entry has.
  package var requests: [String: MediaTime]

  package init(
    elapsed: MediaTime, uncounted: MediaTime, length: MediaTime, requests: [String: MediaTime] = [:]
  ) {
    self.elapsed = elapsed
    self.uncounted = uncounted
    self.length = length
    self.requests = requests
  }

  /// Fits on a line whatever the ids are.
  private static let maxOnALine = 50

  /// The session in as many entries as its requests need.
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
  /// A digest of codecs, formats and headers in any order; a bitrate may change within a recording.
  package var fingerprint: String {
    var bytes: [UInt8] = []
    for track in sorted(by: { $0.codec.rawValue < $1.codec.rawValue }) {
      let head =
        switch track.format {
        case .video(let format): "\(track.codec.rawValue) \(format.size)"
        case .audio(let format): "\(track.codec.rawValue) \(format.sampleRate) \(format.channels)"
        }
      // The length separates one track's headers from the next track.
      bytes += "\(head) \(track.headers.count):".utf8
      bytes += track.headers
    }
    return hexadecimal(sha256(bytes))
  }
}
