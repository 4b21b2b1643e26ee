package import HoldfastMediaModel
import HoldfastPlatform

/// Maps capture time to the broadcast's media time. Media time starts with the first live picture that has
/// sound, stops during interruptions, and resumes with the next such picture. Both tracks are cut at the same
/// pictures, so they stay in sync.
final class TimeLine: Sendable {
  /// A part of captured sound and its media time.
  struct Part: Hashable, Sendable {
    let captured: Range<MonotonicTime>
    let media: MediaTime
    /// Sound before this part was skipped on purpose.
    let isAfterPause: Bool
  }

  enum SoundPlace: Hashable, Sendable {
    /// Unknown until the next picture.
    case open
    case parts([Part])
  }

  private enum State: Hashable {
    case held
    /// Starts with the first picture at or after `since`.
    case beginning(since: MonotonicTime)
    case running
    /// Stops with the first picture at or after `since`.
    case ending(since: MonotonicTime)
  }

  /// A period during which media time runs.
  private struct Stretch {
    let from: MonotonicTime
    var until: MonotonicTime?
    let media: MediaTime
    /// The total time before this stretch for which media time was stopped.
    let standstill: MediaTime

    func mediaTime(of time: MonotonicTime) -> MediaTime { media + (time - from) }
  }

  private struct Values {
    var awaited: Set<TrackKind>
    let start: MediaTime
    /// When media time stopped in another process.
    let standsStillSince: MonotonicTime?
    var audioStart: MonotonicTime?
    var state = State.held
    /// Only the latest, because sound arrives later than pictures.
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
  /// The lanes' zero.
  let base: MediaTime
  private let release: Wakeup

  private static let keptStretches = 16
  private static let longestPacket = MediaTime.milliseconds(15)

  /// Media time begins at `start`; the lanes count from `base`.
  init(
    tracks: Set<TrackKind>, start: MediaTime = .zero, base: MediaTime = .zero,
    standsStillSince: MonotonicTime? = nil
  ) throws(SystemError) {
    values = Locked(Values(awaited: tracks, start: start - base, standsStillSince: standsStillSince))
    self.base = base
    release = try Wakeup()
  }

  /// Starts or resumes media time with media captured from `now` on.
  func run(from now: MonotonicTime) {
    values.withLock { $0.state = .beginning(since: now) }
    release.signal()
  }

  /// Stops media time at the next picture, or at `now` without a video track. Returns the start of the
  /// running stretch; nil if media time was not running.
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

  /// Stops media time at the requested instant if no picture has arrived since.
  func pauseWithoutPicture() {
    values.withLock { values in
      if case .ending(let since) = values.state { values.end(at: since) }
    }
  }

  var standstill: MediaTime { values.withLock { $0.mediaEnd } }

  /// The media time at `now`, running or stopped.
  func mediaTime(at now: MonotonicTime) -> MediaTime {
    base
      + values.withLock { values in
        guard let last = values.stretches.last else { return values.mediaEnd }
        return last.mediaTime(of: max(last.from, last.until ?? now))
      }
  }

  /// The total time before `media` for which media time was stopped.
  func standstill(before media: MediaTime) -> MediaTime {
    values.withLock { values in
      // A sound packet may begin slightly before the picture that resumed media time.
      let time = media - base + Self.longestPacket
      let stretch = values.stretches.last { $0.media <= time } ?? values.stretches.first
      return stretch?.standstill ?? .zero
    }
  }

  /// The start of the running stretch; nil while media time is stopped.
  var start: MediaStart? { values.withLock { start($0) } }

  private func start(_ values: Values) -> MediaStart? {
    guard let last = values.stretches.last, last.until == nil else { return nil }
    return MediaStart(
      at: last.from, mediaTime: base + last.media, lastEnd: values.stretches.dropLast().last?.until)
  }

  /// Waits until the broadcast first goes live; false if stopped before.
  func waitForLive(until stop: Wakeup) -> Bool {
    (try? stop.poll([release.descriptor], until: nil)) == .ready
  }

  /// The media time of a picture captured at `time`; nil if it is to be skipped. `shownAt` is later than
  /// `time` for reordered pictures.
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

  /// The track has ended; the other no longer waits for it.
  func withdraw(_ track: TrackKind) {
    values.withLock { values in
      _ = values.awaited.remove(track)
      if track == .audio { values.audioStart = nil }
      guard track == .video, case .ending(let since) = values.state else { return }
      values.end(at: since)
    }
  }
}

/// The start of a running stretch, in capture and media time.
package struct MediaStart: Hashable, Sendable {
  package let at: MonotonicTime
  package let mediaTime: MediaTime
  package let lastEnd: MonotonicTime?

  package init(at: MonotonicTime, mediaTime: MediaTime, lastEnd: MonotonicTime?) {
    self.at = at
    self.mediaTime = mediaTime
    self.lastEnd = lastEnd
  }
}
