package import HoldfastMediaModel

/// All interruptions and gaps of a broadcast, from its journal.
///
/// An interruption has a wall-clock duration but no media time, and affects all outputs. During a gap of one
/// output or of all, media time advances.
package struct GapMap: Hashable, Sendable {
  package private(set) var interruptions: [Interruption] = []
  package private(set) var gaps: [Gap] = []
  /// Losses whose end is not known, with what was missing when they were noted.
  package private(set) var openLosses: [OpenLoss] = []

  package struct OpenLoss: Hashable, Sendable {
    package let gap: Gap
    /// When `gap` was noted, by the wall clock of then.
    package let noted: JournalInstant
    /// From here on everything is lost, before it what `gap` says.
    package let since: MediaTime
  }

  package init(_ journal: Journal) {
    var last: JournalInstant?
    for record in journal.records {
      add(record, after: last)
      last = record.instant
    }
  }

  private mutating func add(_ record: JournalRecord, after last: JournalInstant?) {
    switch record.entry {
    case .interrupted(let cause, let mediaAt, _):
      if let index = openIndex {
        interruptions[index].cause = cause
      } else {
        interruptions.append(Interruption(cause: cause, from: record.instant, mediaAt: mediaAt))
      }
    case .resumed(let mediaAt, let gap):
      if (openInterruption?.cause ?? Interruption.crash) == Interruption.crash { cutGaps(at: mediaAt) }
      if let index = openIndex {
        interruptions[index].to = record.instant
        interruptions[index].resumedAt = mediaAt
        interruptions[index].gapID = gap
      } else if let last {
        interruptions.append(
          Interruption(cause: Interruption.crash, from: last, mediaAt: mediaAt, to: record.instant))
      }
    case .losing(let gap):
      openLosses.removeAll { $0.gap.id == gap.id }
      // One without a loss has come to nothing.
      guard gap.extent > .zero else { break }
      // One from before an interruption does not grow during it.
      let pausedAt = interruptions.last?.mediaAt ?? .zero
      let since = pausedAt > gap.mediaAt ? max(gap.mediaAt + gap.extent, pausedAt) : gap.mediaAt
      openLosses.append(OpenLoss(gap: gap, noted: record.instant, since: since))
    case .gap(let gap):
      openLosses.removeAll { $0.gap.id == gap.id }
      gaps.append(gap)
    case .began, .recording, .live, .outputAccepted, .checkpoint, .session, .muted, .gate, .backgrounded,
      .ended, .reported:
      break
    }
  }

  /// What was lost beyond the end of a crashed process's recording is lost by the crash.
  private mutating func cutGaps(at end: MediaTime) { gaps = gaps.compactMap { $0.cut(at: end) } }

  private var openIndex: Int? {
    interruptions.last.map { $0.to == nil } == true ? interruptions.count - 1 : nil
  }

  package var count: Int { gaps.count + interruptions.count { $0.to != nil } }

  package var openInterruption: Interruption? { openIndex.map { interruptions[$0] } }
}

/// A standstill of the media timeline: an interruption, or a crash until the broadcast is resumed.
package struct Interruption: Hashable, Sendable {
  /// As in event lines; updated by an interruption within the interruption.
  package internal(set) var cause: String
  package let from: JournalInstant
  package let mediaAt: MediaTime
  /// Nil if the broadcast was not resumed, or not yet.
  package internal(set) var to: JournalInstant?
  /// Where media time continued, exactly; `mediaAt` may be a picture earlier.
  package internal(set) var resumedAt: MediaTime
  /// Of its gap line; nil in a journal of an earlier version.
  package internal(set) var gapID: Int?

  /// The cause of an interruption without an entry.
  package static let crash = "crash"

  package init(cause: String, from: JournalInstant, mediaAt: MediaTime, to: JournalInstant? = nil) {
    self.cause = cause
    self.from = from
    self.mediaAt = mediaAt
    self.to = to
    resumedAt = mediaAt
  }

  /// Duration without capture; zero if it is still open or the clocks cannot tell.
  package var wallDuration: MediaTime { to.flatMap { from.elapsed(until: $0) } ?? .zero }
}

extension Gap {
  fileprivate func cut(at end: MediaTime) -> Gap? {
    guard mediaAt + extent > end else { return self }
    let left = end - mediaAt
    guard left > .zero else { return nil }
    return Gap(
      cause, id: id, output: output, wallFrom: wallFrom, wallTo: wallTo, mediaAt: mediaAt,
      lostVideo: min(lostVideo, left), lostPictures: lostPictures, lostAudio: min(lostAudio, left),
      extent: min(extent, left), isFilled: isFilled, member: member)
  }
}
