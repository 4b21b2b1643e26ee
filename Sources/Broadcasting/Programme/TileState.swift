import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing
import HoldfastPlatform

/// The newest picture and the sound of a tile: written by the threads of its sources, read by the mixer's.
final class TileState: Sendable {
  /// Of its own among all tiles of a mixer.
  let number: Int
  private let currentName: Locked<String>
  /// The tracks that its source may have.
  let tracks: Set<TrackKind>
  private let newest = Locked<Picture>(Picture())
  private let presence: Locked<Presence>
  private let sound: Locked<TileSound?>
  /// A picture that is shown for longer stands still.
  private static let longestInterval = MediaTime.seconds(1)
  /// Fulfilled once the tile has been there, or is known to be away.
  let firstWord = Promise<Void>()

  private struct Picture: ~Copyable, Sendable {
    var frame: Frame?
    var number = 0
    var shownAt: MonotonicTime?
    /// For how long the one before it was shown.
    var interval = MediaTime.zero
  }

  private struct Absence: Sendable {
    var since: MonotonicTime
    /// For people, whatever it is called meanwhile.
    let wall: WallTime

    init(since: MonotonicTime = .now) {
      self.since = since
      wall = WallTime.now - (MonotonicTime.now - since)
    }
  }

  private struct Presence: Sendable {
    var absences: [TrackKind: Absence]
    /// Tracks that have been there.
    var known: Set<TrackKind> = []

    /// A picture that never came, beside sound that did, is none that is missing.
    var hasOnlySound: Bool { known == [.audio] }

    func isMissing(_ track: TrackKind, of tracks: Set<TrackKind>) -> Bool {
      guard absences[track] != nil else { return false }
      if known.contains(track) { return true }
      // Most sources have no sound, or will not have any before their picture.
      return tracks.contains(.video) ? track == .video && !hasOnlySound : true
    }
  }

  init(_ name: String, number: Int, tracks: Set<TrackKind>, sound: consuming sending TileSound?) {
    (currentName, self.number, self.tracks) = (Locked(name), number, tracks)
    let begun = Absence()
    presence = Locked(Presence(absences: Dictionary(uniqueKeysWithValues: tracks.map { ($0, begun) })))
    self.sound = Locked(sound)
  }
}

// MARK: - Written by whoever changes the cast

extension TileState {
  /// As events name it.
  var name: String { currentName.withLock { $0 } }

  /// What is missing from now on is missing under the new name.
  func rename(_ name: String) {
    let isNew = currentName.withLock { current in
      defer { current = name }
      return current != name
    }
    guard isNew else { return }
    presence.withLock { presence in
      for track in presence.absences.keys { presence.absences[track]?.since = .now }
    }
  }
}

// MARK: - Written by sources

extension TileState {
  func show(_ frame: consuming Frame) {
    var frame: Frame? = consume frame
    let now = MonotonicTime.now
    newest.withLock { newest in
      newest.number += 1
      newest.interval = newest.shownAt.map { min(now - $0, Self.longestInterval) } ?? .zero
      newest.shownAt = now
      swap(&newest.frame, &frame)
    }
    firstWord.fulfil(())
  }

  func add(_ block: AudioBlock) {
    // Nothing can be done about sound that can't be resampled; what follows may be of another format.
    sound.withLock { try? $0?.add(block) }
  }

  /// Returns what there is to report.
  func handle(_ event: FeedEvent, of track: TrackKind) -> FeedEvent? {
    switch event {
    case .opened, .changed: return arrived(track, .open)
    case .back: return arrived(track, .back)
    case .lost(let error), .busy(let error):
      let end = end(of: track)
      let isNews = presence.withLock { presence in
        let isKnown = presence.known.contains(track) || track == mainTrack
        // A source that stands still is noticed later.
        presence.absences[track] = presence.absences[track] ?? Absence(since: end)
        return isKnown
      }
      if track == .video { newest.withLock { $0.frame = nil } } else { sound.withLock { $0?.noteGap() } }
      if track == mainTrack { firstWord.fulfil(()) }
      return isNews ? .tile(name, track, error.kind == .busy ? .busy : .lost, cause: error.what) : nil
    case .tile: return nil
    }
  }

  private func arrived(_ track: TrackKind, _ state: BroadcastEvent.DeviceState) -> FeedEvent? {
    let wasKnown = presence.withLock { presence in
      presence.absences[track] = nil
      return !presence.known.insert(track).inserted
    }
    if track == .audio, track == mainTrack { firstWord.fulfil(()) }
    return wasKnown || track == mainTrack ? .tile(name, track, state, cause: nil) : nil
  }

  /// Of what there is to show or to hear.
  private func end(of track: TrackKind) -> MonotonicTime {
    let now = MonotonicTime.now
    let end =
      switch track {
      case .video: newest.withLock { newest in newest.shownAt.map { $0 + newest.interval } }
      case .audio: sound.withLock { $0?.end }
      }
    return min(now, end ?? now)
  }

  private var mainTrack: TrackKind { tracks.contains(.video) ? .video : .audio }
}

// MARK: - Read by the mixer

extension TileState {
  /// What the tile shows now.
  var shown: TileContent.Shown {
    let number = newest.withLock { $0.frame == nil ? nil : $0.number }
    let (since, hasOnlySound) = presence.withLock { ($0.absences[.video]?.wall, $0.hasOnlySound) }
    if let number, since == nil { return .picture(number) }
    return hasOnlySound ? .soundOnly : .away(since: since ?? .now)
  }

  /// The newest picture; nil if there is none.
  func picture() throws(FFmpegError) -> Frame? {
    try newest.withLock { (newest) throws(FFmpegError) -> Frame? in
      guard let frame = newest.frame.take() else { return nil }
      let reference = try frame.reference()
      newest.frame = consume frame
      return reference
    }
  }

  func readSound(into mix: inout [Float], isMuted: Bool) {
    sound.withLock { $0?.read(into: &mix, isMuted: isMuted) }
  }

  func skipSound(to position: Int64) { sound.withLock { $0?.skip(to: position) } }

  /// Since when media of the track is missing; nil if it is not.
  func missing(_ track: TrackKind) -> MonotonicTime? {
    presence.withLock { $0.isMissing(track, of: tracks) ? $0.absences[track]?.since : nil }
  }
}
