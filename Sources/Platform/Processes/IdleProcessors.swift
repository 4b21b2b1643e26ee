package import HoldfastMediaModel

/// How many processors nobody uses, over the last two seconds.
package struct IdleProcessors: Sendable {
  private var samples: [(at: MonotonicTime, times: ProcessorTimes)] = []

  private static let window = MediaTime.seconds(2)
  private static let shortest = MediaTime.milliseconds(500)

  package init() {}

  /// The number of processors, used or not; 0 until it is known.
  package var count: Int { samples.last?.times.processors ?? 0 }

  /// Nil until it is known.
  package mutating func read(at now: MonotonicTime) -> Double? {
    guard let bytes = try? FileDescriptor.contents(of: "/proc/stat", limit: 1 << 20),
      let times = ProcessorTimes(stat: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return add(times, at: now)
  }

  mutating func add(_ times: ProcessorTimes, at now: MonotonicTime) -> Double? {
    samples.append((now, times))
    while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    guard now - samples[0].at >= Self.shortest else { return nil }
    return times.idle(since: samples[0].times)
  }
}

/// The kernel's count of processor time, in units of its own.
struct ProcessorTimes: Hashable, Sendable {
  let idle: Int
  let total: Int
  let processors: Int

  /// Parses `/proc/stat`.
  init?(stat text: String) {
    let lines = text.split(separator: "\n")
    guard let sum = lines.first, sum.hasPrefix("cpu ") else { return nil }
    // User, nice, system, idle, waiting for a disk, interrupts, other guests' time; the rest is counted in them.
    let times = sum.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard times.count == 8 else { return nil }
    idle = times[3] + times[4]
    total = times.reduce(0, +)
    processors = lines.dropFirst().prefix { $0.hasPrefix("cpu") }.count
  }

  /// In processors; nil if no time has passed.
  func idle(since earlier: ProcessorTimes) -> Double? {
    guard total > earlier.total else { return nil }
    return Double(idle - earlier.idle) / Double(total - earlier.total) * Double(processors)
  }
}
