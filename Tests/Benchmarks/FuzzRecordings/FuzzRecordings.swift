import Foundation
import Glibc
import HoldfastPlatform
import TestSupport

/// Sends mutated recordings through verify, repair and export, and reports what
/// takes too long, too much memory or too much disk, what ends the process, and repaired files that are not whole.
///
/// Workers, processes of the same program, do the trials, so that one that hangs or crashes costs no other.
enum FuzzRecordings {
  private static let samplesVariable = "FUZZ_RECORDINGS_SAMPLES"
  private static let findings = ".build/fuzz/recordings"

  static func run(_ arguments: Arguments) throws -> Bool {
    let (count, seed) = (try arguments.number(0, default: 20_000), Int(try arguments.seed(1)))
    guard let samples = ProcessInfo.processInfo.environment[samplesVariable] else {
      return try fuzz(count, seed: seed)
    }
    try work(samples, from: count, count: seed)
    return true
  }

  // MARK: - Workers

  private static func work(_ samples: String, from first: Int, count: Int) throws {
    let paths = samples.split(separator: ":").map(String.init)
    let originals = try paths.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
    let folder = ScratchFolder()
    let path = folder.file("mutated.mp4")
    for index in first..<first + count {
      let bytes = RecordingMutation.mutated(originals[index % originals.count], seed: UInt64(index))
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let trial = RecordingTrial(index, path: path, in: folder.path)
      if !trial.problems.isEmpty { try keep(path, index) }
      progress(String(decoding: try JSONEncoder().encode(trial), as: UTF8.self))
    }
  }

  private static func keep(_ path: String, _ index: Int) throws {
    try createDirectory(findings)
    let target = "\(findings)/\(index).mp4"
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: path, toPath: target)
  }

  // MARK: - The program

  private static func fuzz(_ count: Int, seed: Int) throws -> Bool {
    let folder = ScratchFolder()
    let samples = try SampleRecordings.make(in: folder)
    let sizes = try samples.map { try Data(contentsOf: URL(fileURLWithPath: $0)).count / 1000 }
    print(
      "\(count) mutations of \(samples.count) recordings of \(sizes.min() ?? 0) to \(sizes.max() ?? 0) KB, "
        + "seed \(seed)")
    let workers = min(2, ProcessInfo.processInfo.activeProcessorCount)
    let share = (count + workers - 1) / workers
    let first = seed * 1_000_000
    let shares = try inParallel(workers, width: workers) { number in
      Result {
        try WorkerShare(
          [samplesVariable: samples.joined(separator: ":")], from: first + number * share,
          count: min(share, count - number * share))
      }
    }.map { try $0.get() }
    let trials = shares.flatMap(\.trials)
    let lost = shares.flatMap(\.lost)
    report(trials, lost)
    return trials.count + lost.count == count && lost.isEmpty && trials.allSatisfy(\.problems.isEmpty)
  }

  private static func report(_ trials: [RecordingTrial], _ lost: [String]) {
    let repaired = trials.filter(\.isRepaired)
    print("seconds for the slowest step of a file: \(Percentiles(trials.map(\.seconds)))")
    print("MB of memory: \(Percentiles(trials.map(\.peakMegabytes)))")
    print("MB written by repair and export: \(Percentiles(trials.map(\.writtenMegabytes)))")
    let notWhole = repaired.count { $0.problems.contains { $0.contains("not whole") } }
    print("repaired: \(repaired.count), of which not whole: \(notWhole)")
    print("exported: \(trials.count(where: \.isExported))")
    print("ended by a crash or a hang: \(lost.count)")
    let found = trials.filter { !$0.problems.isEmpty }.map {
      "\(findings)/\($0.index).mp4: \($0.problems.joined(separator: ", "))"
    }
    for line in (lost + found).prefix(50) { print("  \(line)") }
    print("problems: \(lost.count + found.count) of \(trials.count + lost.count) files")
  }
}
