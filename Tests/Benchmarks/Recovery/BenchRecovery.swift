import Foundation
import HoldfastPlatform
import TestSupport

/// `bench-recovery [holdfast|ffmpeg] [FAULT…]`: the effects of RTMP server faults on Holdfast and the ffmpeg
/// command, simultaneously and with a server each.
@main enum BenchRecovery {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let all: [any Subject.Type] = [HoldfastSubject.self, FFmpegSubject.self]
    let subjects = all.filter { words.contains($0.title) }
    let faults = Fault.allCases.filter { words.contains($0.rawValue) }
    guard words.count == subjects.count + faults.count else {
      print("usage: bench-recovery [holdfast|ffmpeg] [FAULT…]")
      print("faults: " + Fault.allCases.map(\.rawValue).joined(separator: " "))
      exit(64)
    }
    do {
      try measure(faults.isEmpty ? Fault.allCases : faults, subjects.isEmpty ? all : subjects)
    } catch {
      print("bench-recovery: \(error)")
      exit(1)
    }
  }

  private static func measure(_ faults: [Fault], _ subjects: [any Subject.Type]) throws {
    let folder = ScratchFolder()
    let healthy = try NginxRTMP(in: folder)
    var measured: [Measured] = []
    var failures: [String] = []
    for fault in faults {
      Measurement.progress(fault.traits.title)
      // A random time within the keyframe interval favors neither.
      let pause = UInt32.random(in: 0..<2_000_000)
      let rendezvous = Rendezvous(parties: subjects.count)
      let results = Locked<[Int: Result<Measured, any Error>]>([:])
      DispatchQueue.concurrentPerform(iterations: subjects.count) { index in
        let result = Result {
          try FaultRun.measure(fault, subjects[index], healthy: healthy) {
            rendezvous.meet()
            usleep(pause)
          }
        }
        results.withLock { $0[index] = result }
      }
      for (index, subject) in subjects.enumerated() {
        switch results.withLock({ $0[index] }) {
        case .success(let one): measured.append(one)
        case .failure(let error): failures.append("\(fault.traits.title), \(subject.title): \(error)")
        case nil: break
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
  }
}

/// A barrier with a timeout, as a thread may fail before it.
private final class Rendezvous: @unchecked Sendable {  // guarded by `condition`
  private let condition = NSCondition()
  private let parties: Int
  private var waiting = 0
  private var round = 0

  init(parties: Int) {
    self.parties = parties
  }

  func meet() {
    condition.withLock {
      waiting += 1
      guard waiting < parties else {
        waiting = 0
        round += 1
        condition.broadcast()
        return
      }
      let own = round
      let limit = Date(timeIntervalSinceNow: 20)
      while own == round, condition.wait(until: limit) {}
      if own == round { waiting -= 1 }
    }
  }
}
