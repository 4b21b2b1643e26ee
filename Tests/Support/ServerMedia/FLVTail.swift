import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// Polls a growing FLV file to timestamp the arrival of its tags.
package final class FLVTail: Sendable {
  private let file: Locked<GrowingFile>
  private let thread: RepeatingThread

  /// The resolution of arrival times.
  private static let interval: useconds_t = 5000

  /// The file need not exist yet.
  package init(path: String) {
    file = Locked(GrowingFile(path: path))
    thread = RepeatingThread(every: Self.interval) { [file] in file.withLock { $0.read() } }
  }

  deinit { thread.finish() }

  /// Stops polling and returns all tags written before the call.
  package func finish() -> [RecordedTag] {
    thread.finish()
    return tags
  }

  package var tags: [RecordedTag] { file.withLock { $0.tags } }

  package func wait(atMost timeout: Double = testTimeout, until condition: ([RecordedTag]) -> Bool) -> Bool {
    // Within the lock: the thread sanitizer does not see that an array is copied before it is written to.
    eventually(within: timeout, every: 10_000) { file.withLock { condition($0.tags) } }
  }

  package func hasPictures(moreThan count: Int) -> Bool { wait { $0.count { $0.kind == .video } > count } }
}

private struct GrowingFile: Sendable {
  let path: String
  private var file: FileHandle?
  private var parser = FLVParser()
  private var position: UInt64 = 0
  private(set) var tags: [RecordedTag] = []

  init(path: String) { self.path = path }

  mutating func read() {
    if let file, isReplaced(file) { self.file = nil }
    if file == nil, let opened = FileHandle(forReadingAtPath: path) {
      (file, parser, position, tags) = (opened, FLVParser(), 0, [])
    }
    guard let bytes = try? file?.readToEnd(), !bytes.isEmpty else { return }
    position += UInt64(bytes.count)
    tags += parser.read(bytes, at: .now)
  }

  /// A new publish may replace or truncate the file.
  private func isReplaced(_ file: FileHandle) -> Bool {
    var (own, named) = (stat(), stat())
    guard fstat(file.fileDescriptor, &own) == 0, stat(path, &named) == 0 else { return true }
    return own.st_ino != named.st_ino || UInt64(own.st_size) < position
  }
}
