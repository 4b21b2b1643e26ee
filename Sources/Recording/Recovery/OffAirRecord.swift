package import HoldfastMediaModel
import HoldfastPlatform

/// That the user took the broadcasts of a name off air, and since when. It outlives the process, which nothing else
/// may put on air again.
package struct OffAirRecord: Hashable, Sendable {
  /// Otherwise interrupted.
  package let isBackgrounded: Bool
  package let since: JournalInstant

  package init(isBackgrounded: Bool, since: JournalInstant) {
    self.isBackgrounded = isBackgrounded
    self.since = since
  }

  /// From a line of a journal.
  init?(_ record: JournalRecord) {
    switch record.entry {
    case .backgrounded: self.init(isBackgrounded: true, since: record.instant)
    case .interrupted: self.init(isBackgrounded: false, since: record.instant)
    case .began, .recording, .live, .outputAccepted, .resumed, .gap, .checkpoint, .session, .muted, .gate,
      .ended:
      return nil
    }
  }

  var record: JournalRecord {
    JournalRecord(
      at: since,
      isBackgrounded ? .backgrounded : .interrupted(cause: "user", mediaAt: .zero, resumableUntil: nil))
  }

  /// What is left of the resume window; nil once it has closed, and in the background.
  package func windowLeft(of window: MediaTime, at now: JournalInstant) -> MediaTime? {
    guard !isBackgrounded, let elapsed = since.elapsed(until: now), elapsed < window else { return nil }
    return window - elapsed
  }
}

extension JournalFolder {
  private static let offAirFile = "off-air"

  /// Nil if nobody is off air, or the record can't be read.
  package var offAir: OffAirRecord? {
    guard let bytes = try? FileDescriptor.contents(of: folder.file(Self.offAirFile), limit: 4096) else {
      return nil
    }
    return Journal(bytes).records.last.flatMap(OffAirRecord.init)
  }

  /// On disk when it returns.
  package func keep(_ offAir: OffAirRecord?) throws(JournalError) {
    let path = folder.file(Self.offAirFile)
    try named(path) { () throws(SystemError) in
      if let offAir {
        try replaceFile(path, by: offAir.record.line)
        try folder.synchronize()
      } else if fileExists(path) {
        try folder.remove(Self.offAirFile)
        try folder.synchronize()
      }
    }
  }
}
