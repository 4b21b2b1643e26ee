package import HoldfastMediaModel

/// All that is missing from a broadcast, with its causes, as its journal tells it.
///
/// An interruption has a duration on the wall and none on the media time line, and all outputs lack the same. A gap is
/// one output's, or everybody's, and media time went on.
package struct GapMap: Hashable, Sendable {
  package private(set) var interruptions: [Interruption] = []
  package private(set) var gaps: [Gap] = []

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
    case .resumed(let mediaAt):
      if let index = openIndex {
        interruptions[index].to = record.instant
      } else if let last {
        interruptions.append(
          Interruption(cause: Interruption.crash, from: last, mediaAt: mediaAt, to: record.instant))
      }
    case .gap(let gap):
      gaps.append(gap)
    case .began, .recording, .live, .outputAccepted, .checkpoint, .session, .muted, .gate, .backgrounded,
      .ended:
      break
    }
  }

  private var openIndex: Int? {
    interruptions.last.map { $0.to == nil } == true ? interruptions.count - 1 : nil
  }

  /// How many gaps there are, and interruptions that are over.
  package var count: Int { gaps.count + interruptions.count { $0.to != nil } }

  /// The one that is not over.
  package var openInterruption: Interruption? { openIndex.map { interruptions[$0] } }
}

/// A time in which the media time line stood still: an interruption, or a crash until the broadcast was taken up again.
package struct Interruption: Hashable, Sendable {
  /// As event lines write it; an interruption within an interruption changes it.
  package internal(set) var cause: String
  package let from: JournalInstant
  package let mediaAt: MediaTime
  /// Nil where the broadcast was not resumed, or not yet.
  package internal(set) var to: JournalInstant?

  /// The cause of what no entry has announced.
  package static let crash = "crash"

  package init(cause: String, from: JournalInstant, mediaAt: MediaTime, to: JournalInstant? = nil) {
    self.cause = cause
    self.from = from
    self.mediaAt = mediaAt
    self.to = to
  }

  /// How long nothing was captured. Nothing is missing where nothing follows, or where no clock can tell.
  package var wallDuration: MediaTime {
    to.flatMap { from.elapsed(until: $0) } ?? .zero
  }
}
