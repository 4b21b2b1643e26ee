import HoldfastMediaModel

/// When the members of a programme are away from one of its tracks, in media time. What they lack is no loss of the
/// track: something else is shown in their place.
struct MemberOutages: Hashable, Sendable {
  let track: TrackKind
  private var since: [String: MediaTime] = [:]
  /// Where media last began or stopped: no absence reaches across it.
  private var floor: MediaTime?
  /// The end of what was last there.
  private var end = MediaTime.zero
  private let step: MediaTime

  /// `step` is the length of what is shown or heard at a time.
  init(track: TrackKind, step: MediaTime = .zero) { (self.track, self.step) = (track, step) }

  /// `absent` are away, and have been for so long when `time` is shown. Returns what others have missed, who are back.
  mutating func update(_ absent: [String: MediaTime], at time: MediaTime) -> [TrackLoss] {
    end = time + step
    let floor = floor ?? time
    self.floor = floor
    guard !(absent.isEmpty && since.isEmpty) else { return [] }
    let back = since.keys.filter { absent[$0] == nil }.sorted()
    let losses = back.compactMap { end(of: $0, at: time) }
    for (name, length) in absent where since[name] == nil { since[name] = max(floor, time - length) }
    return losses
  }

  /// The track has stopped; nil for the end of what was last there.
  mutating func end(at time: MediaTime? = nil) -> [TrackLoss] {
    let time = time ?? end
    floor = time
    return since.keys.sorted().compactMap { end(of: $0, at: time) }
  }

  /// What has been missed so far.
  func lasting(at time: MediaTime) -> [TrackLoss] {
    since.sorted { $0.key < $1.key }.map { loss(of: $0.key, from: $0.value, to: max($0.value, time)) }
  }

  private mutating func end(of name: String, at time: MediaTime) -> TrackLoss? {
    guard let start = since.removeValue(forKey: name), time > start else { return nil }
    return loss(of: name, from: start, to: time)
  }

  private func loss(of name: String, from start: MediaTime, to end: MediaTime) -> TrackLoss {
    TrackLoss(
      track: track, cause: .source, mediaAt: start, duration: end - start, isFilled: true, member: name)
  }
}
