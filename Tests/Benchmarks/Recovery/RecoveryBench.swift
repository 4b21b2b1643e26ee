import Foundation
import HoldfastPlatform
import TestSupport

/// The effects of RTMP server faults on Holdfast and the ffmpeg command, simultaneously and with a server each.
enum RecoveryBench {
  private static let subjects: [any Subject.Type] = [HoldfastSubject.self, FFmpegSubject.self]

  static func run(_ arguments: Arguments) throws -> Bool {
    let chosen = try arguments.words.map { word in
      guard let fault = Fault(rawValue: word) else { throw UsageError() }
      return fault
    }
    let folder = ScratchFolder()
    let healthy = try NginxRTMP(in: folder)
    var measured: [Measured] = []
    var failures: [String] = []
    for fault in chosen.isEmpty ? Fault.allCases : chosen {
      progress(fault.traits.title)
      // A random time within the keyframe interval favors neither.
      let pause = UInt32.random(in: 0..<2_000_000)
      let rounds = Locked([Int](repeating: 0, count: subjects.count))
      let results = inParallel(subjects.count, width: subjects.count) { index in
        Result {
          try FaultRun.measure(fault, subjects[index], healthy: healthy) {
            let round = rounds.withLock { rounds in
              rounds[index] += 1
              return rounds[index]
            }
            // For a while only, as the other one may have failed.
            _ = eventually(within: 20, every: 1000) { rounds.withLock { $0.allSatisfy { $0 >= round } } }
            usleep(pause)
          }
        }
      }
      for (subject, result) in zip(subjects, results) {
        switch result {
        case .success(let one): measured.append(one)
        case .failure(let error): failures.append("\(fault.traits.title), \(subject.title): \(error)")
        }
      }
    }
    print("Publishing 320x180 at 30, 500 kb/s, a keyframe each 2 s, to nginx-rtmp; all figures in seconds\n")
    print(FaultTable(measured).text)
    for one in measured where one.subject == HoldfastSubject.title {
      for line in one.overBars() { print("over the bar: \(one.fault.traits.title): \(line)") }
    }
    for line in failures { print(line) }
    print("\n" + FaultTable.legend)
    return true
  }
}
