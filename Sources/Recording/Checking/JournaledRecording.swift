package import HoldfastMediaModel

/// What the journal of a broadcast says of one of its recordings.
package struct JournaledRecording: Hashable, Sendable {
  /// The journal's.
  package let path: String
  package let gapMap: GapMap
  /// The stretch of the media time line that lies in the file.
  package let origin: MediaTime
  package let end: MediaTime?
  package let isEnded: Bool

  /// Nil where the journal doesn't name it.
  package init?(_ journal: RecordingJournal, of recording: String) {
    guard let stretch = journal.stretch(of: recording) else { return nil }
    path = journal.path
    gapMap = GapMap(journal.journal)
    (origin, end) = stretch
    isEnded = journal.journal.isEnded
  }
}
