import HoldfastMediaModel
import HoldfastPlatform

/// What a call into libavformat may take: time, and memory, as a server may announce or send more than should be kept.
struct CallLimits: Sendable {
  private var deadline: MonotonicTime?
  private var baseline: Int?
  private var nextLook = MonotonicTime(nanoseconds: 0)
  private var isTooLarge = false

  /// The program grows less for a picture of the largest size.
  private static let maxGrowth = 128 << 20
  /// Most calls are over sooner.
  private static let lookInterval = MediaTime.milliseconds(100)
  private static let pageSize = 4096

  mutating func begin(until deadline: MonotonicTime?, at now: MonotonicTime) {
    self = CallLimits()
    self.deadline = deadline
    nextLook = now + Self.lookInterval
  }

  /// Why the call is to be given up; nil if it is not.
  mutating func failure(
    at now: MonotonicTime, memory: () -> Int? = CallLimits.residentMemory
  ) -> SourceFailure? {
    if isTooLarge { return .tooLarge }
    if let deadline, deadline <= now { return .unreachable("no answer in time") }
    guard nextLook <= now, let memory = memory() else { return nil }
    nextLook = now + Self.lookInterval
    isTooLarge = memory - (baseline ?? memory) > Self.maxGrowth
    baseline = baseline ?? memory
    return isTooLarge ? .tooLarge : nil
  }

  /// The resident memory of the program, in bytes.
  static func residentMemory() -> Int? {
    guard let bytes = try? FileDescriptor.contents(of: "/proc/self/statm", limit: 256) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * pageSize } : nil
  }
}
