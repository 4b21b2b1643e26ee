import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestSupport

/// One power cut: what is on the disk, what the next start makes of it, and what it says is missing.
struct PowerTrial {
  let image: String
  let cut: MonotonicTime
  let workload: PowerWorkload
  let system: LoggedDisk.FileSystem
  private let folder = ScratchFolder()
  private var outcome: PowerResults.Cut
  private var mount: String { folder.file("mount") }
  private var recordings: String { "\(mount)/recordings" }

  /// A picture's time, twice, and what the clocks differ by.
  private static let slack = MediaTime.milliseconds(100)

  init(
    image: String, cut: MonotonicTime, in phase: PowerWorkload.Phase, _ workload: PowerWorkload,
    _ system: LoggedDisk.FileSystem
  ) {
    (self.image, self.cut, self.workload, self.system) = (image, cut, workload, system)
    let limit = phase.syncEvery + workload.longestSync + Self.slack
    outcome = PowerResults.Cut(system: system.rawValue, kind: phase.kind.rawValue, limitNs: limit.nanoseconds)
  }

  mutating func run() throws -> PowerResults.Cut {
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    guard (try? Tool.run(["mount", "-o", system.mountOptions, image, mount])) != nil else {
      outcome.isMounted = false
      return outcome
    }
    defer {
      for _ in 0..<50 where (try? Tool.run(["umount", "-q", mount])) == nil { usleep(100_000) }
    }
    let before = try RecordingState.all(in: recordings)
    let events = try start()
    try compare(before, try RecordingState.all(in: recordings))
    if let id = (events.named("resumed").first ?? events.named("ended").first)?["broadcast"] as? String {
      try checkBroadcast(id, isResumed: !events.named("resumed").isEmpty)
    }
    try checkCopies()
    return outcome
  }

  private mutating func report(_ problem: String) { outcome.problems.append(problem) }

  /// Sees the disk where it was before the cut: journals name files by their whole path.
  private func program(_ arguments: [String]) throws -> HoldfastProcess {
    try HoldfastProcess(
      arguments,
      launcher: [
        "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
        "mount --bind '\(mount)' '\(workload.mount)' && exec \"$0\" \"$@\"",
      ], environment: ["XDG_STATE_HOME": "\(workload.mount)/state"])
  }

  private mutating func perform(_ arguments: [String], _ what: String) throws {
    let result = try program(arguments).result()
    if result.status != 0 { report("\(what) ends with \(result.status): \(result.errors)") }
  }

  /// The next start, which ends soon after it has resumed, or begun anew.
  private mutating func start() throws -> EventLines {
    let process = try program(
      ["publish", "--record", "\(workload.mount)/recordings", "--after-crash", "resume", "--events", "-"]
        + PowerWorkload.sources)
    let isUp = eventually(within: 30) {
      let events = try? process.events()
      return events.map { !$0.named("resumed").isEmpty || !$0.named("live").isEmpty } ?? false
        || process.hasEnded
    }
    usleep(200_000)
    let result = process.end()
    if !isUp || result.status != 0 { report("the next start ended with \(result.status): \(result.errors)") }
    return try EventLines(result.output)
  }

  private mutating func compare(_ before: [String: RecordingState], _ after: [String: RecordingState]) throws
  {
    for (name, old) in before.sorted(by: { $0.key < $1.key }) {
      guard let new = after[name] else {
        if old.samples > 0 { report("\(name) with \(old.samples) samples is gone") }
        continue
      }
      if new.samples < old.samples { report("\(name): \(new.samples) samples of \(old.samples) are left") }
      // A player also reads the beginning of the sample in which the file ends.
      if new.played + 1 < old.played {
        report("\(name): players read \(new.played) packets of \(old.played)")
      }
      // A cut right before the broadcast's end resumes it in its last file.
      if old.isFinished, name != before.keys.max(), new.bytes != old.bytes {
        report("\(name), which was finished, has changed")
      }
      if !new.isFinished { report("\(name) was not finished") }
    }
  }

  /// Whether what is missing in the files of the broadcast is what its journal says, and how much the cut took.
  private mutating func checkBroadcast(_ id: String, isResumed: Bool) throws {
    let journal = Journal(
      try FileDescriptor.contents(of: "\(mount)/state/holdfast/power/\(id).jsonl", limit: 1 << 24))
    var paths: [String] = []
    for record in journal.records {
      if case .recording(let path, _, _) = record.entry, !paths.contains(path) { paths.append(path) }
    }
    var captures: [MonotonicTime] = []
    for path in paths {
      let file = path.replacing(workload.mount, with: mount)
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let result = try program(["verify", path]).result()
      if result.status != 0 { report("verify says \(result.output)") }
      captures += try RecordingMarks(path: file).captures
    }
    let holes = zip(captures, captures.dropFirst()).filter { $1 - $0 > .milliseconds(50) }
    let told = Self.told(GapMap(journal))
    for (from, to) in holes where !told.contains(where: { $0.overlaps(from..<to) }) {
      report("\(to - from) is missing \(cut - from) before the cut, unnamed")
    }
    for period in told where captures.contains(where: { $0 < cut }) {
      let missing = holes.filter { period.overlaps($0..<$1) }.reduce(MediaTime.zero) { $0 + ($1.1 - $1.0) }
      let length = period.upperBound - period.lowerBound
      if abs((missing - length).milliseconds) > Self.slack.milliseconds + 67 {
        report("\(length) is told from \(cut - period.lowerBound) before the cut, \(missing) is missing")
      }
    }
    guard isResumed, let last = captures.last(where: { $0 < cut }) else { return }
    outcome.lostNs = max(.zero, cut - last).nanoseconds
  }

  /// What the journal says is missing, by the monotonic clock.
  private static func told(_ map: GapMap) -> [Range<MonotonicTime>] {
    let (wall, now) = (WallTime.now, MonotonicTime.now)
    func time(_ instant: WallTime) -> MonotonicTime {
      now - MediaTime(nanoseconds: wall.nanoseconds - instant.nanoseconds)
    }
    let pauses = map.interruptions.compactMap { pause in pause.to.map { (pause.from.wall, $0.wall) } }
    let gaps = map.gaps.filter { $0.output == nil || $0.output == "recording" }.map {
      ($0.wallFrom, $0.wallTo)
    }
    // One that ends where another begins is one that lasts longer.
    var periods: [Range<MonotonicTime>] = []
    for (from, to) in (pauses + gaps).filter({ $0 < $1 }).sorted(by: { $0.0 < $1.0 }) {
      if let last = periods.last, time(from) - last.upperBound < slack {
        periods[periods.count - 1] = last.lowerBound..<max(last.upperBound, time(to))
      } else {
        periods.append(time(from)..<time(to))
      }
    }
    return periods
  }

  /// A repair and an export that the cut has interrupted can be done again, and have lost nothing.
  private mutating func checkCopies() throws {
    for (name, samples) in workload.samples.sorted(by: { $0.key < $1.key }) {
      let path = "\(mount)/copies/\(name)"
      let shown = "\(workload.mount)/copies/\(name)"
      guard cut > workload.phases[2].begin, FileManager.default.fileExists(atPath: path) else { continue }
      let found = try RecordingState(path: path)
      if found.samples < samples { report("copy \(name): \(found.samples) samples of \(samples) are left") }
      try perform(["repair", "--in-place", shown], "a repair of \(name)")
      let repaired = try RecordingState(path: path)
      if repaired.samples < samples || !repaired.isFinished {
        report("copy \(name): \(repaired.samples) samples of \(samples) after a repair")
      }
    }
    guard cut > workload.phases[3].begin, !FileManager.default.fileExists(atPath: "\(mount)/exported.mp4")
    else { return }
    let name = try FileManager.default.contentsOfDirectory(atPath: recordings).sorted().first {
      $0.hasSuffix(".mp4")
    }
    let output = "\(workload.mount)/exported.mp4"
    try perform(["export", "\(workload.mount)/recordings/\(name ?? "")", "--output", output], "an export")
  }
}
