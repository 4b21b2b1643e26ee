package import HoldfastMediaModel

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
