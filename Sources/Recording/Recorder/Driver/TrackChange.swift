import HoldfastMediaModel

/// The headers that the next file of a recording needs because a copied source has changed them: a value.
///
/// The next file begins with the first keyframe behind a change. That keyframe waits until it is known whether the sound changes
/// at the same time, so that there is one file for both. Sound with other headers from before it has no file.
struct TrackChange: Hashable, Sendable {
  enum Placement: Hashable {
    /// The packet goes where it would without a change.
    case regular
    /// It waits here.
    case held
    /// No file can take it.
    case lost
    /// The next file begins with it.
    case cut
  }

  private enum State: Hashable {
    case none
    /// The keyframe has not come.
    case announced
    /// It waits with what follows.
    case holding(cut: MediaTime)
    /// What has waited is placed, beginning with the keyframe.
    case ready
  }

  private var state = State.none
  /// The tracks that the next file has instead.
  private var new: [TrackKind: Track] = [:]
  private var held: [QueuedPacket] = []
  /// Where a change of the sound has begun; what may still come from before that has no file.
  private var soundCut: MediaTime?
  private var lost: [TrackKind: Recorder.Loss] = [:]

  /// How far pictures go on before the sound is taken to be silent.
  static let patience = MediaTime.milliseconds(500)

  var isHolding: Bool { if case .holding = state { true } else { false } }

  /// A track of a file that has `tracks`.
  mutating func announce(_ track: Track, instead tracks: [Track]) {
    if isHolding, track.kind == .video {
      // The pictures that have waited belong to headers that are no more.
      for queued in held { lose(queued.packet) }
      (held, state) = ([], .announced)
    }
    let isBack = tracks.contains { $0.kind == track.kind && $0.hasSameHeaders(as: track) }
    new[track.kind] = isBack ? nil : track
    switch state {
    case .none, .announced, .ready: state = new.isEmpty ? .none : .announced
    case .holding: break
    }
  }

  /// Where a packet goes; `tracks` are all of the recording's.
  mutating func place(_ queued: QueuedPacket, of tracks: [Track]) -> Placement {
    let packet = queued.packet
    let isChanged = new[packet.track] != nil
    if packet.track == .audio, let cut = soundCut {
      guard packet.decodeTime >= cut else { return lose(packet) }
      soundCut = nil
    }
    switch state {
    case .none: return .regular
    case .announced:
      guard packet.track == (tracks.hasVideo ? .video : .audio), packet.isKeyframe else {
        return isChanged ? lose(packet) : .regular
      }
      guard new[.audio] == nil, tracks.contains(where: { $0.kind == .audio }) else { return .cut }
      state = .holding(cut: packet.decodeTime)
      held = [queued]
      return .held
    case .holding(let cut):
      guard packet.track == .video || packet.decodeTime >= cut else {
        return isChanged ? lose(packet) : .regular
      }
      held.append(queued)
      return .held
    case .ready: return .cut
    }
  }

  /// What has waited, from the keyframe on, once enough is known; all of it if nothing more is awaited.
  mutating func release(all: Bool = false) -> [QueuedPacket] {
    guard case .holding(let cut) = state, let last = held.last?.packet,
      all || last.track == .audio || last.decodeTime - cut > Self.patience
    else { return [] }
    state = .ready
    defer { held = [] }
    return held
  }

  /// The tracks of the file that begins at `cut`, instead of `tracks`.
  mutating func begin(at cut: MediaTime, instead tracks: [Track]) -> [Track] {
    if new[.audio] != nil { soundCut = cut }
    defer { (state, new) = (.none, [:]) }
    return tracks.map { new[$0.kind] ?? $0 }
  }

  /// What no file has taken; nothing before the change is over, unless this is the end.
  mutating func takeLosses(atEnd: Bool = false) -> [Recorder.Loss] {
    guard atEnd || state == .none && soundCut == nil else { return [] }
    defer { lost = [:] }
    return lost.values.sorted { $0.at < $1.at }
  }

  @discardableResult
  private mutating func lose(_ packet: MediaPacket) -> Placement {
    lost.add(packet, at: packet.decodeTime, .source)
    return .lost
  }
}
