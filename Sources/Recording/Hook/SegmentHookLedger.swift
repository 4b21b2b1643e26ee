import HoldfastMediaModel
import HoldfastPlatform

/// The jobs of a segment hook that must survive a restart, written on a thread of its own.
final class SegmentHookLedger: Sendable {
  private static let sizeLimit = 16 << 20
  /// How long a hanging disk holds up the end of a file or the start of a command.
  private static let timeout = MediaTime.milliseconds(250)
  private let thread: WriterThread<Void>

  /// `jobs` are those to be written, at any time.
  init(
    path: String, jobs: @escaping @Sendable () -> [SegmentHook.Job],
    report: @escaping @Sendable (SystemError) -> Void
  ) throws(SystemError) {
    let written = Locked<[SegmentHook.Job]?>(nil)
    thread = try WriterThread(name: "hook-ledger", capacity: 64) {
      let jobs = jobs()
      guard written.withLock({ $0 != jobs }) else { return }
      do throws(SystemError) {
        try replaceFile(path, by: Self.bytes(of: jobs))
        try synchronizeDirectory(of: path)
        written.withLock { $0 = jobs }
      } catch {
        report(error)
      }
    }
  }

  /// Returns once the jobs are on disk, or after the timeout.
  func save() { _ = thread.write((), waiting: Self.timeout) }

  func finish() { thread.finish() }

  // MARK: - The file

  /// Neither a path, which begins with a slash, nor a broadcast.
  private static let begunMark = "begun"

  /// Each job is its path, its broadcast and perhaps the mark, each ended by a NUL.
  private static func bytes(of jobs: [SegmentHook.Job]) -> [UInt8] {
    jobs.flatMap { job in
      ([job.path, job.broadcast] + (job.hasBegun ? [begunMark] : [])).flatMap { Array($0.utf8) + [0] }
    }
  }

  /// Leaves out files that no longer exist. An unreadable ledger counts as empty.
  static func jobs(in path: String) -> [SegmentHook.Job] {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: sizeLimit) else { return [] }
    var texts = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }[...]
    var jobs: [SegmentHook.Job] = []
    while let path = texts.popFirst(), let broadcast = texts.popFirst() {
      let hasBegun = texts.first == begunMark
      if hasBegun { texts.removeFirst() }
      if fileExists(path) {
        jobs.append(SegmentHook.Job(path: path, broadcast: broadcast, hasBegun: hasBegun))
      }
    }
    return jobs
  }
}
