package import HoldfastMediaModel
import HoldfastPlatform

/// Maps capture time to the broadcast's media time. Media time starts with the first live picture that has
/// sound, stops during interruptions, and resumes with the next such picture. Both tracks are cut at the same
/// instant, so they stay in sync: the end of a sound packet near the picture. So the return begins with a whole
/// packet of sound beside its keyframe.
final class Timeline: Sendable {
  /// A part of captured sound and its media time.
  struct Part: Hashable, Sendable {
    let captured: Range<MonotonicTime>
    let media: MediaTime
    /// Sound before this part was skipped on purpose.
    let isAfterPause: Bool
  }

  private enum State: Hashable {
    case stopped
    /// Starts with the first picture at or after `since`.
    case starting(since: MonotonicTime)
    case running
    /// Stops with the first picture at or after `since`.
    case stopping(since: MonotonicTime)
  }

  /// A period during which media time runs.
  private struct Period {
    let from: MonotonicTime
    var until: MonotonicTime?
    let media: MediaTime
    /// The total time before this period for which media time was stopped.
    let stoppedTime: MediaTime

    func mediaTime(of time: MonotonicTime) -> MediaTime { media + (time - from) }
  }

  private struct Values {
    var awaited: Set<TrackKind>
    let start: MediaTime
    /// When media time stopped in another process.
    let stoppedSince: MonotonicTime?
    let framesPerPacket: Int?
    var newestPicture: MonotonicTime?
    var audioStart: MonotonicTime?
    var state = State.stopped
    /// Only the latest, because sound arrives later than pictures.
    var periods: [Period] = []
    /// Pictures captured before then, but not encoded yet, belong to the last period.
    var stopRequest: MonotonicTime?

    var mediaEnd: MediaTime {
      guard let last = periods.last else { return start }
      return last.mediaTime(of: last.until ?? last.from)
    }

    mutating func start(at time: MonotonicTime) {
      let since = periods.isEmpty ? stoppedSince : periods.last?.until
      let stoppedTime = (periods.last?.stoppedTime ?? .zero) + (since.map { max(.zero, time - $0) } ?? .zero)
      periods.append(Period(from: time, media: mediaEnd, stoppedTime: stoppedTime))
      if periods.count > Timeline.maxPeriods { periods.removeFirst() }
      state = .running
    }

    mutating func stop(at time: MonotonicTime) {
      guard let last = periods.indices.last else { return state = .stopped }
      stopRequest = time
      periods[last].until = max(packetEnd(at: time, in: periods[last]), periods[last].from)
      state = .stopped
    }

    /// The media time of a picture that a slow encoder takes only after the stop.
    func late(_ time: MonotonicTime) -> MediaTime? {
      guard let stopRequest, let last = periods.last, let until = last.until, time >= last.from,
        time < min(until, stopRequest)
      else { return nil }
      return last.mediaTime(of: time)
    }

    /// The end of a sound packet near `time`, after the newest picture.
    private func packetEnd(at time: MonotonicTime, in period: Period) -> MonotonicTime {
      guard let framesPerPacket, awaited.contains(.audio) else { return time }
      let format = Configuration.audioFormat
      let media = period.mediaTime(of: time)
      let frames = Int(media.ticks(timescale: format.sampleRate))
      // A little earlier rather than later: a picture that lasts 10 ms longer is a step that players may notice.
      let packets = (frames + framesPerPacket * 2 / 5) / framesPerPacket
      let end = time + (format.duration(ofFrames: packets * framesPerPacket) - media)
      if let newestPicture, end <= newestPicture { return end + format.duration(ofFrames: framesPerPacket) }
      return end
    }
  }

  private let values: Locked<Values>
  /// The lanes' zero.
  let base: MediaTime
  private let release: Wakeup

  private static let maxPeriods = 16
  private static let maxPacketDuration = MediaTime.milliseconds(15)

  /// Media time begins at `start`; the lanes and their sound packets of `framesPerPacket` count from `base`. Nil cuts
  /// sound anywhere.
  init(
    tracks: Set<TrackKind>, start: MediaTime = .zero, base: MediaTime = .zero,
    stoppedSince: MonotonicTime? = nil, framesPerPacket: Int? = nil
  ) throws(SystemError) {
    values = Locked(
      Values(
        awaited: tracks, start: start - base, stoppedSince: stoppedSince, framesPerPacket: framesPerPacket))
    self.base = base
    release = try Wakeup()
  }

  /// Starts or resumes media time with media captured from `now` on.
  func run(from now: MonotonicTime) {
    values.withLock { $0.state = .starting(since: now) }
    release.signal()
  }

  /// Stops media time near the next picture, or near `now` without a video track. Returns the start of the
  /// running period; nil if media time was not running.
  @discardableResult
  func pause(at now: MonotonicTime) -> MediaStart? {
    values.withLock { values in
      let start = start(values)
      switch values.state {
      case .stopped, .stopping: break
      case .starting: values.state = .stopped
      case .running where values.awaited.contains(.video): values.state = .stopping(since: now)
      case .running: values.stop(at: now)
      }
      return start
    }
  }

  /// Stops media time at the requested instant if no picture has arrived since.
  func pauseWithoutPicture() {
    values.withLock { values in
      if case .stopping(let since) = values.state { values.stop(at: since) }
    }
  }

  var stoppedAt: MediaTime { values.withLock { $0.mediaEnd } }

  /// The media time at `now`, running or stopped.
  func mediaTime(at now: MonotonicTime) -> MediaTime {
    base
      + values.withLock { values in
        guard let last = values.periods.last else { return values.mediaEnd }
        return last.mediaTime(of: max(last.from, last.until ?? now))
      }
  }

  /// The total time before `media` for which media time was stopped.
  func stoppedTime(before media: MediaTime) -> MediaTime {
    values.withLock { values in
      // A sound packet may begin slightly before the picture that resumed media time.
      let time = media - base + Self.maxPacketDuration
      let period = values.periods.last { $0.media <= time } ?? values.periods.first
      return period?.stoppedTime ?? .zero
    }
  }

  /// The start of the running period; nil while media time is stopped.
  var start: MediaStart? { values.withLock { start($0) } }

  private func start(_ values: Values) -> MediaStart? {
    guard let last = values.periods.last, last.until == nil else { return nil }
    return MediaStart(
      at: last.from, mediaTime: base + last.media, lastEnd: values.periods.dropLast().last?.until)
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
      case .stopped: return values.late(time)
      case .starting(let since):
        guard time >= since else { return values.late(time) }
        if values.awaited.contains(.audio) {
          guard let start = values.audioStart, start <= shownAt ?? time else { return nil }
        }
        values.start(at: time)
      case .running: break
      case .stopping(let since):
        guard time < since else {
          values.stop(at: time)
          return nil
        }
      }
      guard let period = values.periods.last, time >= period.from else { return nil }
      values.newestPicture = time
      return period.mediaTime(of: time)
    }
  }

  /// The parts of captured sound that fall on the timeline; nil while that is unknown, until the next picture.
  func place(sound captured: Range<MonotonicTime>) -> [Part]? {
    values.withLock { values in
      if values.audioStart == nil { values.audioStart = captured.lowerBound }
      switch values.state {
      case .starting(let since) where captured.upperBound > since:
        if values.awaited.contains(.video) { return nil }
        values.start(at: max(captured.lowerBound, since))
      case .stopping(let since) where captured.upperBound > since: return nil
      case .stopped, .starting, .running, .stopping: break
      }
      return values.periods.compactMap { Self.part(of: captured, in: $0) }
    }
  }

  private static func part(of captured: Range<MonotonicTime>, in period: Period) -> Part? {
    let from = max(captured.lowerBound, period.from)
    let until = min(captured.upperBound, period.until ?? captured.upperBound)
    guard from < until else { return nil }
    return Part(captured: from..<until, media: period.mediaTime(of: from), isAfterPause: from == period.from)
  }

  /// The track has ended; the other no longer waits for it.
  func withdraw(_ track: TrackKind) {
    values.withLock { values in
      _ = values.awaited.remove(track)
      if track == .audio { values.audioStart = nil }
      guard track == .video, case .stopping(let since) = values.state else { return }
      values.stop(at: since)
    }
  }
}

/// The start of a running period, in capture and media time.
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
