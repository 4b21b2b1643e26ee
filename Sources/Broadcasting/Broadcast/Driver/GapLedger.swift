import HoldfastMediaModel
import HoldfastPublishing

/// All gaps and interruptions of a broadcast, and what is being lost.
struct GapLedger {
  private struct Lasting {
    var gap: Gap
    var nextReport: MonotonicTime
    /// Since when readings lack it, as they do while an output hands its figures over.
    var missingSince: MonotonicTime?
    /// Its total has been reported.
    var isReported = false
  }

  private(set) var gaps: [Gap]
  private(set) var interruptions: [Gap]
  var clock = MediaClock()
  private var lasting: [RunningLoss.Place: Lasting] = [:]
  private var lastID: Int

  private static let reportInterval = MediaTime.seconds(10)
  private static let longestMissing = MediaTime.milliseconds(250)

  init(gaps: [Gap], interruptions: [Gap]) {
    (self.gaps, self.interruptions) = (gaps, interruptions)
    // Journals of earlier versions do not number interruptions.
    let known = max(gaps.map(\.id).max() ?? 0, gaps.count) + interruptions.count
    lastID = max(known, interruptions.map(\.id).max() ?? 0)
  }

  var count: Int { gaps.count + interruptions.count }
  /// The losses in progress, oldest first.
  var losing: [Gap] { lasting.values.map(\.gap).sorted { $0.id < $1.id } }

  mutating func add(_ loss: OutputLoss, of output: String, at now: Instant) -> Gap? {
    guard let running = RunningLoss(loss, of: output) else { return nil }
    return close(running, at: now)
  }

  mutating func add(_ loss: TrackLoss, at now: Instant) -> Gap { close(RunningLoss(loss), at: now) }

  private mutating func close(_ loss: RunningLoss, at now: Instant) -> Gap {
    let gap = gap(loss, id: lasting.removeValue(forKey: loss.place)?.gap.id ?? nextID(), at: now)
    gaps.append(gap)
    return gap
  }

  /// Closes `interruption` when media time runs again in `tracks`.
  mutating func add(
    _ interruption: OpenInterruption, _ cause: Gap.Cause, endedBy start: MediaStart,
    _ tracks: Set<TrackKind>, at now: Instant
  ) -> (gap: Gap, length: MediaTime) {
    let length = start.at - (start.lastEnd ?? interruption.since)
    let lost = { tracks.contains($0) ? length + (interruption.extraLoss[$0] ?? .zero) : .zero }
    let wallTo = now.wall - (now.monotonic - start.at)
    let gap = Gap(
      interruption.cause ?? cause, id: nextID(),
      // An earlier boot's instants have only their wall time.
      wallFrom: interruption.cause == nil ? wallTo - length : interruption.wallSince, wallTo: wallTo,
      mediaAt: interruption.mediaAt ?? start.mediaTime, lostVideo: lost(.video), lostAudio: lost(.audio))
    interruptions.append(gap)
    return (gap, length)
  }

  /// Takes all losses in progress. Returns those to be noted, because they have begun, begun earlier, taken hold of the
  /// other track or come to nothing, and those to be reported, too.
  mutating func read(_ losses: [RunningLoss], at now: Instant) -> (noted: [Gap], due: [Gap]) {
    var (noted, due): ([Gap], [Gap]) = ([], [])
    let known = lasting
    lasting = [:]
    for loss in losses {
      let last = known[loss.place]
      let gap = gap(loss, id: last?.gap.id ?? nextID(), at: now)
      var new = Lasting(
        gap: gap, nextReport: last?.nextReport ?? now.monotonic + Self.reportInterval,
        isReported: last?.isReported ?? false)
      if new.nextReport <= now.monotonic {
        due.append(gap)
        (new.nextReport, new.isReported) = (new.nextReport + Self.reportInterval, true)
      } else if last.map({ !$0.gap.begins(like: gap) }) ?? true {
        noted.append(gap)
      }
      lasting[loss.place] = new
    }
    for (place, last) in known where lasting[place] == nil {
      let since = last.missingSince ?? now.monotonic
      if now.monotonic - since < Self.longestMissing {
        lasting[place] = last
        lasting[place]?.missingSince = since
      } else if last.isReported {
        due.append(last.gap.withoutLoss)
      } else {
        noted.append(last.gap.withoutLoss)
      }
    }
    return (noted, due)
  }

  private mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private func gap(_ loss: RunningLoss, id: Int, at now: Instant) -> Gap {
    Gap(
      loss.cause, id: id, output: loss.place.output,
      wallFrom: clock.wall(of: loss.mediaAt, at: now) ?? now.wall - max(loss.video, loss.audio),
      wallTo: clock.wall(of: loss.mediaEnd, isEnd: true, at: now) ?? now.wall, mediaAt: loss.mediaAt,
      lostVideo: loss.video, lostPictures: loss.pictures, lostAudio: loss.audio,
      extent: loss.mediaEnd - loss.mediaAt, isFilled: loss.isFilled,
      member: loss.place.member)
  }
}

extension Gap {
  fileprivate func begins(like other: Gap) -> Bool {
    mediaAt == other.mediaAt && (lostVideo > .zero) == (other.lostVideo > .zero)
      && (lostAudio > .zero) == (other.lostAudio > .zero)
  }

  /// A loss that has come to nothing.
  fileprivate var withoutLoss: Gap {
    Gap(cause, id: id, output: output, wallFrom: wallFrom, wallTo: wallFrom, mediaAt: mediaAt, member: member)
  }
}
