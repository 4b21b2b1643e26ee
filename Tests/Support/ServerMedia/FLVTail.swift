internal import Foundation
internal import Glibc
internal import HoldfastMediaModel

/// Watches an FLV file grow, so that one knows when each of its tags was written.
package final class FLVTail: Sendable {
  private let watch: Watch

  /// The file may come to be later.
  package init(path: String) {
    let watch = Watch(path)
    self.watch = watch
    Thread { watch.run() }.start()
  }

  deinit {
    watch.end()
  }

  /// Ends the watching, and gives everything that was seen.
  package func finish() -> [RecordedTag] {
    watch.end()
    return watch.tags
  }

  package var tags: [RecordedTag] { watch.tags }

  /// Waits until `condition` holds for the tags; false when it takes too long.
  package func wait(atMost patience: Double = 60, until condition: ([RecordedTag]) -> Bool) -> Bool {
    Peers.wait(atMost: patience, every: 10_000) { condition(tags) }
  }
}

/// What the watching thread and its owner share.
private final class Watch: @unchecked Sendable {  // guarded by `condition`
  private let path: String
  private let condition = NSCondition()
  private var seen: [RecordedTag] = []
  private var isWanted = true
  private var hasEnded = false

  /// How exact the arrivals are.
  private static let interval: useconds_t = 5000

  init(_ path: String) {
    self.path = path
  }

  var tags: [RecordedTag] { condition.withLock { seen } }

  /// Returns when everything was read that had been written before the call.
  func end() {
    condition.withLock {
      isWanted = false
      while !hasEnded { condition.wait() }
    }
  }

  func run() {
    var file: FileHandle?
    var parser = FLVParser()
    var position: UInt64 = 0
    var goesOn = true
    while goesOn {
      goesOn = condition.withLock { isWanted }
      if let open = file, Self.isGone(open, path, shorterThan: position) { file = nil }
      if file == nil, let opened = FileHandle(forReadingAtPath: path) {
        (file, parser, position) = (opened, FLVParser(), 0)
        condition.withLock { seen = [] }
      }
      if let bytes = try? file?.readToEnd(), !bytes.isEmpty {
        position += UInt64(bytes.count)
        let tags = parser.read(bytes, at: .read())
        condition.withLock { seen += tags }
      }
      if goesOn { usleep(Self.interval) }
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// A publish that records anew replaces the file or cuts it.
  private static func isGone(_ file: FileHandle, _ path: String, shorterThan position: UInt64) -> Bool {
    var (own, named) = (stat(), stat())
    guard fstat(file.fileDescriptor, &own) == 0, stat(path, &named) == 0 else { return true }
    return own.st_ino != named.st_ino || UInt64(own.st_size) < position
  }
}
