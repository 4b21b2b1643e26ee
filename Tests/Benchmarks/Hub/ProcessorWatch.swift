import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// What processes take of the processor since `init`, and of memory.
struct ProcessorWatch {
  private let processes: [(name: String, id: pid_t)]
  private let before: [[String: Double]]
  private let began = MonotonicTime.now

  init(_ processes: [(name: String, id: pid_t)]) {
    self.processes = processes
    before = processes.map { ProcessFigures.processorSeconds($0.id) }
  }

  /// Seconds of the first process's.
  var processorSeconds: Double {
    (ProcessFigures.processorSeconds(processes[0].id)[""] ?? 0) - (before[0][""] ?? 0)
  }

  /// A line for each process.
  func lines() -> [String] {
    let length = (MonotonicTime.now - began).seconds
    return zip(processes, before).map { process, before in
      let after = ProcessFigures.processorSeconds(process.id)
      func share(_ thread: String) -> Double {
        ((after[thread] ?? 0) - (before[thread] ?? 0)) * 100 / length
      }
      let memory = Self.memory(process.id)
      var line =
        "  " + padded(process.name, 14)
        + String(
          format: "CPU %5.1f %% of a core   memory %6.1f MB, at most %6.1f", share(""), memory.now,
          memory.most)
      let threads = after.keys.filter { !$0.isEmpty && $0 != process.name && share($0) >= 0.5 }
      if process.name == "hub" {
        line +=
          "   ("
          + threads.sorted { share($0) > share($1) }.map {
            "\($0) \(figure(share($0)))"
          }.joined(separator: ", ") + ")"
      }
      return line
    }
  }

  private static func memory(_ process: pid_t) -> (now: Double, most: Double) {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Double {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
    }
    return (number("VmRSS") / 1024, number("VmHWM") / 1024)
  }
}
