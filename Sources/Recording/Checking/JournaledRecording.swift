public import MediaModel

/// What the journal of a broadcast says of one of its recordings.
public struct JournaledRecording: Hashable, Sendable {
  /// The journal's.
  public let path: String
  public let gapMap: GapMap
  /// The stretch of the media time line that lies in the file.
  public let origin: MediaTime
  public let end: MediaTime?
  public let isEnded: Bool

  /// Nil where the journal doesn't name it.
  public init?(_ journal: RecordingJournal, of recording: String) {
    guard let stretch = journal.stretch(of: recording) else { return nil }
    path = journal.path
    gapMap = GapMap(journal.journal)
    (origin, end) = stretch
    isEnded = journal.journal.isEnded
  }
}
