package import HoldfastMediaModel
internal import HoldfastPlatform

/// Says where what was captured lies on the broadcast's media time line.
///
/// Media time begins with the first picture that has sound to go with it, once the broadcast is live; it stands still
/// while the broadcast is interrupted, and goes on with the first such picture afterwards. Both tracks are cut at the same
/// instants, those of pictures, so that neither moves against the other.
final class TimeLine: Sendable {
  /// Part of a captured sound, and where it belongs.
  struct Part: Hashable, Sendable {
    let captured: Range<MonotonicTime>
    let media: MediaTime
    /// Something was left out right before it, on purpose.
    let isAfterPause: Bool
  }

  enum SoundPlace: Hashable, Sendable {
    /// Not known before the next picture has come.
    case open
    case parts([Part])
  }

  private enum State: Hashable {
    case held
    /// Begins with the first picture from `since` on.
    case beginning(since: MonotonicTime)
    case running
    /// Ends with the first picture from `since` on.
    case ending(since: MonotonicTime)
  }

  /// A time during which the broadcast ran.
  private struct Stretch {
    let from: MonotonicTime
    var until: MonotonicTime?
    let media: MediaTime
    /// How long media time had stood still before, in all.
    let standstill: MediaTime

    func mediaTime(of time: MonotonicTime) -> MediaTime { media + (time - from) }
  }

  private struct Values {
    var awaited: Set<TrackKind>
    /// Where the first stretch begins.
    let start: MediaTime
    /// Since when media time stands still that another process has left.
    let standsStillSince: MonotonicTime?
    var audioStart: MonotonicTime?
    var state = State.held
    /// The latest ones: sound comes a little later than pictures.
    var stretches: [Stretch] = []

    var mediaEnd: MediaTime {
      guard let last = stretches.last else { return start }
      return last.mediaTime(of: last.until ?? last.from)
    }

    mutating func begin(at time: MonotonicTime) {
      let since = stretches.isEmpty ? standsStillSince : stretches.last?.until
      let standstill = (stretches.last?.standstill ?? .zero) + (since.map { max(.zero, time - $0) } ?? .zero)
      stretches.append(Stretch(from: time, media: mediaEnd, standstill: standstill))
      if stretches.count > TimeLine.keptStretches { stretches.removeFirst() }
      state = .running
    }

    mutating func end(at time: MonotonicTime) {
      guard let last = stretches.indices.last else { return state = .held }
      stretches[last].until = max(time, stretches[last].from)
      state = .held
    }
  }

  private let values: Locked<Values>
  /// What the lanes call 0.
  let base: MediaTime
  private let release: Wakeup

  private static let keptStretches = 16
  private static let longestPacket = MediaTime.milliseconds(15)

  /// Media time begins at `start`. The lanes, and what `place` gives them, count from `base` on.
  init(
    tracks: Set<TrackKind>, start: MediaTime = .zero, base: MediaTime = .zero,
    standsStillSince: MonotonicTime? = nil
  ) throws(SystemError) {
    values = Locked(Values(awaited: tracks, start: start - base, standsStillSince: standsStillSince))
    self.base = base
    release = try Wakeup()
  }

  /// Media time begins, or goes on, with what is captured from `now` on.
  func run(from now: MonotonicTime) {
    values.withLock { $0.state = .beginning(since: now) }
    release.signal()
  }

  /// Media time stands still from the next picture on; from `now` on where there are no pictures. Since when it has run; nil
  /// where it has not, and does not begin.
  @discardableResult
  func pause(at now: MonotonicTime) -> MediaStart? {
    values.withLock { values in
      let start = start(values)
      switch values.state {
      case .held, .ending: break
      case .beginning: values.state = .held
      case .running where values.awaited.contains(.video): values.state = .ending(since: now)
      case .running: values.end(at: now)
      }
      return start
    }
  }

  /// No picture has come: media time stands still from when it was asked to.
  func pauseWithoutPicture() {
    values.withLock { values in
      if case .ending(let since) = values.state { values.end(at: since) }
    }
  }

  /// Where media time has come to, while it stands still, as the lanes count.
  var standstill: MediaTime { values.withLock { $0.mediaEnd } }

  /// Where media time has come to, whether it stands still or not.
  func mediaTime(at now: MonotonicTime) -> MediaTime {
    base
      + values.withLock { values in
        guard let last = values.stretches.last else { return values.mediaEnd }
        return last.mediaTime(of: max(last.from, last.until ?? now))
      }
  }

  /// How long media time had stood still before it came to `media`, in all.
  func standstill(before media: MediaTime) -> MediaTime {
    values.withLock { values in
      // A packet of sound may begin a little before the picture with which media time went on.
      let time = media - base + Self.longestPacket
      let stretch = values.stretches.last { $0.media <= time } ?? values.stretches.first
      return stretch?.standstill ?? .zero
    }
  }

  /// Since when media time runs; nil while it stands still.
  var start: MediaStart? { values.withLock { start($0) } }

  private func start(_ values: Values) -> MediaStart? {
    guard let last = values.stretches.last, last.until == nil else { return nil }
    return MediaStart(
      at: last.from, mediaTime: base + last.media, lastEnd: values.stretches.dropLast().last?.until)
  }

  /// Waits until the broadcast goes live for the first time; false when it was stopped before.
  func waitForLive(until stop: Wakeup) -> Bool {
    (try? stop.poll([release.descriptor], until: nil)) == .ready
  }

  /// Where a picture that was taken at `time` belongs, which is to be shown at `shownAt`: later, where pictures are encoded
  /// in another order. Nil where it is to be left out.
  func place(picture time: MonotonicTime, shownAt: MonotonicTime? = nil) -> MediaTime? {
    values.withLock { values in
      switch values.state {
      case .held: return nil
      case .beginning(let since):
        guard time >= since else { return nil }
        if values.awaited.contains(.audio) {
          guard let start = values.audioStart, start <= shownAt ?? time else { return nil }
        }
        values.begin(at: time)
      case .running: break
      case .ending(let since):
        guard time < since else {
          values.end(at: time)
          return nil
        }
      }
      guard let stretch = values.stretches.last, time >= stretch.from else { return nil }
      return stretch.mediaTime(of: time)
    }
  }

  /// Where sound belongs that was taken during `captured`.
  func place(sound captured: Range<MonotonicTime>) -> SoundPlace {
    values.withLock { values in
      if values.audioStart == nil { values.audioStart = captured.lowerBound }
      switch values.state {
      case .beginning(let since) where captured.upperBound > since:
        if values.awaited.contains(.video) { return .open }
        values.begin(at: max(captured.lowerBound, since))
      case .ending(let since) where captured.upperBound > since: return .open
      case .held, .beginning, .running, .ending: break
      }
      return .parts(values.stretches.compactMap { Self.part(of: captured, in: $0) })
    }
  }

  private static func part(of captured: Range<MonotonicTime>, in stretch: Stretch) -> Part? {
    let from = max(captured.lowerBound, stretch.from)
    let until = min(captured.upperBound, stretch.until ?? captured.upperBound)
    guard from < until else { return nil }
    return Part(
      captured: from..<until, media: stretch.mediaTime(of: from), isAfterPause: from == stretch.from)
  }

  /// Nothing comes of this track; the other does not wait for it.
  func withdraw(_ track: TrackKind) {
    values.withLock { values in
      _ = values.awaited.remove(track)
      if track == .audio { values.audioStart = nil }
      guard track == .video, case .ending(let since) = values.state else { return }
      values.end(at: since)
    }
  }
}

/// When media time began to run, and where it lies there.
package struct MediaStart: Hashable, Sendable {
  package let at: MonotonicTime
  package let mediaTime: MediaTime
  /// When it had last ended; nil where it runs for the first time in this process.
  package let lastEnd: MonotonicTime?

  package init(at: MonotonicTime, mediaTime: MediaTime, lastEnd: MonotonicTime?) {
    self.at = at
    self.mediaTime = mediaTime
    self.lastEnd = lastEnd
  }
}
