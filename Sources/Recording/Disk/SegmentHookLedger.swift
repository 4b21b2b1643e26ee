import HoldfastPlatform

/// The jobs of a segment hook that must survive a restart.
final class SegmentHookLedger: Sendable {
  private static let sizeLimit = 16 << 20
  private let path: String
  private let written = Locked<[SegmentHook.Job]>([])

  init(path: String) {
    self.path = path
  }

  /// Leaves out files that no longer exist. An unreadable ledger counts as empty.
  func load() -> [SegmentHook.Job] {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: Self.sizeLimit) else { return [] }
    // Paths contain no NUL.
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    let jobs = stride(from: 0, to: texts.count - texts.count % 2, by: 2).map {
      SegmentHook.Job(path: texts[$0], broadcast: texts[$0 + 1])
    }
    written.withLock { $0 = jobs }
    return jobs.filter { fileExists($0.path) }
  }

  /// Replaces the ledger atomically, also across a power cut.
  func save(_ jobs: [SegmentHook.Job]) throws(SystemError) {
    guard written.withLock({ $0 != jobs }) else { return }
    var bytes: [UInt8] = []
    for job in jobs {
      for text in [absolutePath(job.path), job.broadcast] { bytes += Array(text.utf8) + [0] }
    }
    try replaceFile(path, by: bytes)
    written.withLock { $0 = jobs }
  }
}
