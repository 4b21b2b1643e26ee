package import HoldfastMediaModel

/// All that is missing from a broadcast, with its causes, as its journal tells it.
///
/// An interruption has a duration on the wall and none on the media time line, and all outputs lack the same. A gap is
/// one output's, or everybody's, and media time went on.
package struct GapMap: Hashable, Sendable {
  package private(set) var interruptions: [Interruption] = []
  package private(set) var gaps: [Gap] = []

  /// What some of it comes to.
  package struct Totals: Hashable, Sendable {
    package var interruptions = 0
    /// On the wall.
    package var interrupted = MediaTime.zero
    package var gaps = 0
    /// On the media time line.
    package var lostVideo = MediaTime.zero
    package var lostPictures = 0
    package var lostAudio = MediaTime.zero

    package init() {}
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

  /// The one that is not over.
  package var openInterruption: Interruption? { openIndex.map { interruptions[$0] } }

  /// The outputs that have gaps of their own.
  package var outputs: [String] { Set(gaps.compactMap(\.output)).sorted() }

  /// As event lines write them.
  package var causes: [String] { Set(interruptions.map(\.cause) + gaps.map(\.cause.rawValue)).sorted() }

  package var totals: Totals { totals(interruptions, gaps) }

  /// What `output` lacks: its own gaps, and everybody's.
  package func totals(ofOutput output: String) -> Totals {
    totals(interruptions, gaps.filter { $0.output == nil || $0.output == output })
  }

  package func totals(ofCause cause: String) -> Totals {
    totals(interruptions.filter { $0.cause == cause }, gaps.filter { $0.cause.rawValue == cause })
  }

  private func totals(_ interruptions: [Interruption], _ gaps: [Gap]) -> Totals {
    var totals = Totals()
    for interruption in interruptions where interruption.to != nil {
      totals.interruptions += 1
      totals.interrupted.addClamped(interruption.wallDuration)
    }
    for gap in gaps {
      totals.gaps += 1
      totals.lostVideo.addClamped(gap.lostVideo)
      totals.lostPictures += gap.lostPictures
      totals.lostAudio.addClamped(gap.lostAudio)
    }
    return totals
  }
}
