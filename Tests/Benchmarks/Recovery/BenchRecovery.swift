import Foundation
import TestSupport

/// `bench-recovery [holdfast|ffmpeg] [FAULT…]`: what each fault of an RTMP server does to Holdfast and to the ffmpeg
/// command, both at the same time, each with a server of its own.
@main enum BenchRecovery {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let subjects = [HoldfastSubject.title, FFmpegSubject.title].filter { words.contains($0) }
    let faults = Fault.allCases.filter { words.contains($0.rawValue) }
    guard words.count == subjects.count + faults.count else {
      print("usage: bench-recovery [holdfast|ffmpeg] [FAULT…]")
      print("faults: " + Fault.allCases.map(\.rawValue).joined(separator: " "))
      exit(64)
    }
    do {
      try measure(
        faults.isEmpty ? Fault.allCases : faults,
        subjects.isEmpty ? [HoldfastSubject.title, FFmpegSubject.title] : subjects)
    } catch {
      print("bench-recovery: \(error)")
      exit(1)
    }
  }

  private static func measure(_ faults: [Fault], _ subjects: [String]) throws {
    let folder = try ScratchFolder()
    let healthy = try NginxRTMP(in: folder)
    let results = Results()
    for fault in faults {
      // Whoever waits for it sees that it goes on; the table is standard output's.
      FileHandle.standardError.write(Data("\(fault.title)\n".utf8))
      // At a moment of the keyframes' interval that favours nobody.
      let pause = UInt32.random(in: 0..<2_000_000)
      let rendezvous = Rendezvous(parties: subjects.count)
      DispatchQueue.concurrentPerform(iterations: subjects.count) { index in
        do {
          results.add(
            try run(fault, subjects[index], healthy) {
              rendezvous.meet()
              usleep(pause)
            })
        } catch {
          results.add(failure: "\(fault.title), \(subjects[index]): \(error)")
        }
      }
    }
    print("Publishing 320x180 at 30, 500 kb/s, a keyframe each 2 s, to nginx-rtmp; all figures in seconds\n")
    print(results.text)
    print("\n" + FaultTable.legend)
  }

  private static func run(
    _ fault: Fault, _ subject: String, _ healthy: NginxRTMP, beforeFault: () -> Void
  ) throws -> Measured {
    subject == HoldfastSubject.title
      ? try FaultRun.measure(fault, HoldfastSubject.self, healthy: healthy, beforeFault: beforeFault)
      : try FaultRun.measure(fault, FFmpegSubject.self, healthy: healthy, beforeFault: beforeFault)
  }
}
