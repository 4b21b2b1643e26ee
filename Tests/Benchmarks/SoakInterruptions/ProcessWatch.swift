import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// Looks at a process each second, and at the file it writes more often.
final class ProcessWatch: @unchecked Sendable {  // guarded by `condition`
  struct Sample {
    let memoryKilobytes: Int
    let descriptors: Int
    let threads: Int
  }

  private let process: pid_t
  private let file: String
  private let condition = NSCondition()
  private var isWanted = true
  private var hasEnded = false
  private var taken: [Sample] = []
  private var writes: [WallTime] = []

  private static let interval: useconds_t = 5000

  init(process: pid_t, file: String) {
    self.process = process
    self.file = file
    Thread { [self] in run() }.start()
  }

  /// Ends it. Each second's sample, and when the file was written to.
  func finish() -> (samples: [Sample], writes: [WallTime]) {
    condition.withLock {
      isWanted = false
      while !hasEnded { condition.wait() }
      return (taken, writes)
    }
  }

  private func run() {
    var nextSample = MonotonicTime.now
    while condition.withLock({ isWanted }) {
      if nextSample <= .now {
        nextSample = nextSample + .seconds(1)
        if let sample { condition.withLock { taken.append(sample) } }
      }
      if let written = lastWrite {
        condition.withLock { if writes.last != written { writes.append(written) } }
      }
      usleep(Self.interval)
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  private var lastWrite: WallTime? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    let time = status.st_mtim
    return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private var sample: Sample? {
    let place = "/proc/\(process)"
    guard let status = try? String(contentsOfFile: place + "/status", encoding: .utf8),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: place + "/fd").count
    else { return nil }
    func number(_ name: String) -> Int? {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
    guard let memory = number("VmRSS"), let threads = number("Threads") else { return nil }
    return Sample(memoryKilobytes: memory, descriptors: descriptors, threads: threads)
  }
}
