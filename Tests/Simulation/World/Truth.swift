import HoldfastMediaModel
import TestVirtualTime

/// The ground truth of a broadcast, independent of the program's reports.
final class Truth {
  struct Crash {
    let at: Int64
    /// The time after which media time is not journaled.
    let lostSince: Int64
    /// The time after which even transitions are not on the disk.
    let transitionsLostSince: Int64
  }

  let id: String
  /// The times at which media of the broadcast was captured.
  private(set) var stretches: [MediaClock.Stretch] = []
  private(set) var crashes: [Crash] = []
  /// When media time was first to run; the first picture may follow an interruption.
  var beganAt: Int64?
  var closedAt: Int64?
  var overAt: Int64?
  /// Losses of an output or a device that a crash left unreported.
  var forgotten: [String: Spans] = [:]
  /// What an output had sent on connections that were lost before they were proven: it counts as lost, arrived or not.
  var unproven: [String: Spans] = [:]
  private var losses: [(id: String, captured: Range<Int64>, at: Int64, isRefused: Bool)] = []
  private var heldAnewAt: Int64 = 0

  init(id: String) { self.id = id }

  var onAir: Spans { Spans(stretches.map { $0.from..<($0.until ?? $0.from) }) }
  /// The times after `beganAt` at which media time was stopped.
  var offAir: Spans {
    guard let began = beganAt, let end = onAir.ranges.last?.upperBound, began < end else { return Spans() }
    return Spans([began..<end]).subtracting(onAir)
  }
  var isLive: Bool { beganAt != nil && overAt == nil }

  /// When capturing stopped; nil while it runs.
  var heldSince: Int64? { stretches.last?.until }

  private var mediaEnd: Int64 { stretches.last.map { $0.media + ($0.until ?? $0.from) - $0.from } ?? 0 }

  func crash(_ crash: Crash) { crashes.append(crash) }

  /// Whether a crash may have erased information from `time`.
  func mayHaveForgotten(_ time: Int64) -> Bool { crashes.contains { $0.lostSince <= time && time <= $0.at } }

  func mayHaveForgotten(transition time: Int64) -> Bool {
    crashes.contains { $0.transitionsLostSince <= time && time <= $0.at }
  }

  /// Records a reported loss; a failed disk (`isRefused`) may have kept it out of the journal.
  func reported(_ id: String, _ captured: Range<Int64>, at now: Int64, isRefused: Bool) {
    losses.append((id, captured, now, isRefused))
  }

  /// Reported losses that may be missing from the journal.
  func unwritten(_ id: String) -> Spans {
    Spans(losses.filter { $0.id == id && ($0.isRefused || mayHaveForgotten($0.at)) }.map(\.captured))
  }

  /// A resumption was interrupted again, which restarts the resume window.
  func isHeldAnew(at now: Int64) { heldAnewAt = now }

  /// `knowsWindow` is false if the length of the interruption depends on a wall clock that was set.
  func run(at now: Int64, media: Int64, _ world: World, window: Int64, knowsWindow: Bool) {
    if let end = [closedAt, overAt].compactMap(\.self).min() {
      // The disk may have failed to store the transition.
      world.expect(mayHaveForgotten(transition: end), "\(id) is resumed after the background, or its end")
      closedAt = nil
      overAt = nil
    }
    if let last = stretches.last, let until = last.until {
      // A resumption in time may be cancelled before anything is captured.
      let held = now - max(until, heldAnewAt)
      world.expect(held < window + .s(2) || !knowsWindow, "\(id) is resumed after \(held.shown)")
      let forgotten = crashes.filter { $0.at >= until }.map { $0.at - $0.lostSince }.max() ?? 0
      world.expect(
        media >= mediaEnd - forgotten, "\(id): media time goes back from \(mediaEnd.shown) to \(media.shown)")
      world.expect(media <= mediaEnd, "\(id): media time jumps from \(mediaEnd.shown) to \(media.shown)")
    } else {
      world.expect(stretches.isEmpty, "\(id) runs twice")
    }
    stretches.append(MediaClock.Stretch(from: now, until: nil, media: media))
  }

  func pause(at now: Int64) {
    guard let last = stretches.indices.last, stretches[last].until == nil else { return }
    stretches[last].until = now
  }

  /// The capture times of a range of media time, as known at `time`.
  func captured(media: Int64, length: Int64, at time: Int64) -> Spans {
    var spans = Spans()
    guard var index = stretches.lastIndex(where: { $0.from <= time && $0.media <= media }) else {
      return spans
    }
    var (media, left) = (media, length)
    while left > 0, stretches.indices.contains(index), stretches[index].from <= time {
      let stretch = stretches[index]
      let from = stretch.from + max(0, media - stretch.media)
      let until = min(from + left, stretch.until ?? time)
      if from < until {
        spans.insert(from..<until)
        left -= until - from
      }
      index += 1
      media = stretches.indices.contains(index) ? stretches[index].media : 0
    }
    return spans
  }
}

/// A broadcast's media timeline: when media time ran, and from where.
struct MediaClock {
  struct Stretch {
    let from: Int64
    var until: Int64?
    let media: Int64
  }

  private(set) var stretches: [Stretch] = []
  /// The media time before it runs in this process.
  private var start: Int64

  init(from start: Int64 = 0) { self.start = start }

  var isRunning: Bool { stretches.last.map { $0.until == nil } ?? false }

  var runsSince: Int64? { isRunning ? stretches.last?.from : nil }

  func end(at now: Int64) -> Int64 {
    guard let last = stretches.last else { return start }
    return last.media + (last.until ?? now) - last.from
  }

  mutating func run(from now: Int64) { stretches.append(Stretch(from: now, until: nil, media: end(at: now))) }

  mutating func pause(at now: Int64) {
    guard isRunning else { return }
    stretches[stretches.count - 1].until = now
  }

  /// The parts of `captured` that belong to the broadcast, with their media times.
  func parts(of captured: Range<Int64>) -> [(captured: Range<Int64>, media: Int64)] {
    var parts: [(captured: Range<Int64>, media: Int64)] = []
    for stretch in stretches.reversed() {
      let from = max(captured.lowerBound, stretch.from)
      let until = min(captured.upperBound, stretch.until ?? captured.upperBound)
      if from < until { parts.append((from..<until, stretch.media + from - stretch.from)) }
      if stretch.from <= captured.lowerBound { break }
    }
    return parts.reversed()
  }

  func captured(media: Int64) -> Int64 {
    guard let stretch = stretches.last(where: { $0.media <= media }) else { return 0 }
    return stretch.from + media - stretch.media
  }
}
