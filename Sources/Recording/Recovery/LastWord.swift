import HoldfastMediaModel
import HoldfastPlatform

/// What the user last asked of the broadcasts of a name. The journal of a broadcast learns of it later.
package enum LastWord: Hashable, Sendable {
  case offAir(OffAirRecord)
  case onAir(since: JournalInstant)

  package var offAir: OffAirRecord? { if case .offAir(let record) = self { record } else { nil } }

  init?(_ record: JournalRecord) {
    switch record.entry {
    case .backgrounded: self = .offAir(.init(isBackgrounded: true, since: record.instant))
    case .interrupted: self = .offAir(.init(isBackgrounded: false, since: record.instant))
    case .resumed: self = .onAir(since: record.instant)
    case .began, .recording, .live, .outputAccepted, .gap, .losing, .checkpoint, .session, .muted, .gate,
      .ended, .reported:
      return nil
    }
  }

  var record: JournalRecord {
    switch self {
    case .onAir(let since): JournalRecord(at: since, .resumed(mediaAt: .zero))
    case .offAir(let record) where record.isBackgrounded: JournalRecord(at: record.since, .backgrounded)
    case .offAir(let record):
      JournalRecord(at: record.since, .interrupted(cause: "user", mediaAt: .zero, resumableUntil: nil))
    }
  }
}

extension JournalFolder {
  private static let lastWordFile = "off-air"

  /// Nil if the user was never off air, or the file can't be read.
  package var lastWord: LastWord? {
    guard let bytes = try? FileDescriptor.contents(of: folder.file(Self.lastWordFile), limit: 4096) else {
      return nil
    }
    return Journal(bytes).records.last.flatMap(LastWord.init)
  }

  /// On disk when it returns.
  package func keep(_ word: LastWord) throws(JournalError) {
    let path = folder.file(Self.lastWordFile)
    try named(path) { () throws(SystemError) in
      try replaceFile(path, by: word.record.line)
      try folder.synchronize()
    }
  }
}
