import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestRandomness
import TestSupport

/// Cuts the power of recording disks at random points of their block writes, and compares what the next start makes of
/// them with what was safe.
struct SoakPower {
  static func run(_ arguments: Arguments) throws -> Bool {
    let (minutes, cuts) = (try arguments.number(0, default: 40), try arguments.number(1, default: 510))
    let seed = try arguments.seed(2)
    if let reason = missing() {
      print("skipped: \(reason)")
      return true
    }
    var soak = try SoakPower(end: .now + .seconds(60 * Int64(minutes)), cuts: cuts, seed: seed)
    return try soak.cutAll()
  }

  /// What the trial needs and this machine lacks; nil if it has all.
  private static func missing() -> String? {
    if geteuid() != 0 { return "disks are mounted by root only" }
    for path in ["/dev/fuse", "/dev/loop-control"] where !FileManager.default.fileExists(atPath: path) {
      return "there is no \(path)"
    }
    let tools =
      ["qemu-storage-daemon", "losetup", "mount", "strace"] + LoggedDisk.FileSystem.allCases.map(\.tool)
    for tool in tools where !Tool.isThere(tool) { return "there is no \(tool)" }
    return nil
  }

  private let end: MonotonicTime
  private let cuts: Int
  private let seed: UInt64
  private var random: SplitMix64
  private var results: PowerResults
  /// A folder for the disks of those cuts that have shown a problem, as the cut left them.
  private let keptCuts = ProcessInfo.processInfo.environment["KEEP_CUTS"]

  /// `RESULTS` names a file that a later run with the same name continues.
  private init(end: MonotonicTime, cuts: Int, seed: UInt64) throws {
    (self.end, self.cuts, self.seed) = (end, cuts, seed)
    results = try PowerResults(keptIn: ProcessInfo.processInfo.environment["RESULTS"])
    random = SplitMix64(seed: seed &+ UInt64(results.cuts.count))
  }

  private mutating func cutAll() throws -> Bool {
    print(
      "\(cuts) cuts, seed \(seed)" + (results.cuts.isEmpty ? "" : ", \(results.cuts.count) of them earlier")
    )
    for (index, system) in LoggedDisk.FileSystem.allCases.enumerated() {
      let share = cuts / LoggedDisk.FileSystem.allCases.count
      let wanted = index == 0 ? cuts - 2 * share : share
      try cut(system, max(0, wanted - results.count(on: system)))
      print(results.summary(of: system))
    }
    let unmounted = results.cuts.count { !$0.isMounted }
    print("\(results.cuts.count) cuts tried, \(unmounted) of them left a file system that cannot be mounted")
    let problems = results.problems
    print(problems.isEmpty ? "every claim holds" : "\(problems.count) problems")
    for problem in problems { print("  \(problem)") }
    return problems.isEmpty && results.cuts.count >= cuts
  }

  private mutating func cut(_ system: LoggedDisk.FileSystem, _ cuts: Int) throws {
    guard cuts > 0, .now < end else { return }
    let disk = try LoggedDisk(system)
    let made = Result { try PowerWorkload(on: disk) }
    try disk.finish()
    let workload = try made.get()
    print("\(system.rawValue): longest sync \(workload.longestSync)")
    let log = try BlockLog(path: disk.log)
    let points = choose(cuts, of: log, disk, workload)
    for cut in try tryAll(points, log, disk, workload) { try results.add(cut) }
  }

  private struct Point {
    let entry: Int
    let at: MonotonicTime
    let fate: BlockLog.Fate
    let phase: PowerWorkload.Phase
  }

  /// Most in recordings and at changes of segments, the rest at ends, repairs and exports.
  private mutating func choose(
    _ count: Int, of log: BlockLog, _ disk: LoggedDisk, _ workload: PowerWorkload
  ) -> [Point] {
    let times = log.entries.map { disk.time(of: $0.data.upperBound) }
    var points: [Point] = []
    for number in 0..<count {
      let phase = workload.phases[[0, 0, 0, 1, 1, 1, 1, 2, 3, 0][number % 10]]
      var range = phase.begin..<phase.end
      // The first second, and the end.
      if number % 10 == 0, let open = phase.open { range = phase.begin..<open + .seconds(1) }
      if number % 10 == 3, let stop = phase.stop { range = stop..<phase.end }
      let entries = times.indices.filter { times[$0].map(range.contains) ?? false }
      guard let entry = entries.randomElement(using: &random), let at = times[entry] else { continue }
      points.append(
        Point(
          entry: entry, at: at, fate: .allCases.randomElement(using: &random) ?? .chance, phase: phase))
    }
    return points.sorted { $0.entry < $1.entry }
  }

  private mutating func tryAll(
    _ points: [Point], _ log: BlockLog, _ disk: LoggedDisk, _ workload: PowerWorkload
  ) throws -> [PowerResults.Cut] {
    let base = disk.folder.file("base")
    _ = try disk.folder.write("", to: "base")
    try Tool.run(["truncate", "-s", "\(LoggedDisk.size)", base])
    let durable = try FileHandle(forUpdating: URL(fileURLWithPath: base))
    var flushed = 0
    let outcomes = Locked<[PowerResults.Cut]>([])
    let slots = DispatchSemaphore(value: disk.system.width)
    let running = DispatchGroup()
    let failure = Locked<(any Error)?>(nil)
    for (number, point) in points.enumerated() where .now < end {
      let last = log.entries[..<point.entry].lastIndex { $0.isFlush }.map { $0 + 1 } ?? 0
      try log.write(flushed..<max(flushed, last), to: durable)
      flushed = max(flushed, last)
      slots.wait()
      if let error = failure.withLock({ $0 }) { throw error }
      let image = disk.folder.file("cut-\(number)")
      try Tool.run(["cp", "--sparse=always", base, image])
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: image))
      try log.tear(flushed..<point.entry, point.fate, to: handle, using: &random)
      try handle.close()
      let system = disk.system
      let kept = keptCuts.map { "\($0)/\(system.rawValue)-\(number)" }
      if let kept { try Tool.run(["cp", "--sparse=always", image, kept]) }
      running.enter()
      Thread {
        var trial = PowerTrial(image: image, cut: point.at, in: point.phase, workload, system)
        do {
          let outcome = try trial.run()
          outcomes.withLock { $0.append(outcome) }
          for problem in outcome.problems {
            progress("\(system.rawValue) cut \(number) at entry \(point.entry): \(problem)")
          }
          try FileManager.default.removeItem(atPath: image)
          if let kept, outcome.problems.isEmpty { try FileManager.default.removeItem(atPath: kept) }
        } catch {
          failure.withLock { $0 = error }
        }
        slots.signal()
        running.leave()
      }.start()
    }
    running.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    return outcomes.withLock { $0 }
  }
}
