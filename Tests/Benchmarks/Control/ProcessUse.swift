import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// What a process has used up over a while.
struct Phase {
  /// The most at a time, in megabytes.
  let memory: Double
  /// In percent of a core.
  let processor: Double
  let controlThread: Double
  let workers: Double
  let preview: Double

  static func print(_ phases: [(name: String, phase: Phase)]) {
    Swift.print("             CPU     control  control-work  preview  memory (most)")
    for (name, phase) in phases {
      Swift.print(
        name.padding(toLength: 12, withPad: " ", startingAt: 0)
          + String(
            format: "%5.1f %%  %5.1f %%   %5.1f %%      %5.1f %%  %5.1f MB", phase.processor,
            phase.controlThread,
            phase.workers, phase.preview, phase.memory))
    }
  }
}

/// Looks at a process, as the kernel counts it, from its making until `finish`.
final class ProcessUse: @unchecked Sendable {  // guarded by `condition`
  private let process: pid_t
  private let began: MonotonicTime
  private let before: [String: Double]
  private let condition = NSCondition()
  private var isWanted = true
  private var hasEnded = false
  private var most = 0.0

  init(_ process: pid_t) throws {
    self.process = process
    began = .now
    before = Self.processorSeconds(process)
    Thread { [self] in watchMemory() }.start()
  }

  func finish() -> Phase {
    condition.withLock {
      isWanted = false
      while !hasEnded { condition.wait() }
    }
    let (after, length) = (Self.processorSeconds(process), (MonotonicTime.now - began).seconds)
    func share(_ thread: String) -> Double { ((after[thread] ?? 0) - (before[thread] ?? 0)) * 100 / length }
    return Phase(
      memory: most, processor: share(""), controlThread: share("control"), workers: share("control-work"),
      preview: share("preview"))
  }

  private func watchMemory() {
    while condition.withLock({ isWanted }) {
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
      most = max(most, (kilobytes ?? 0) / 1024)
      usleep(100_000)
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Of the process, under the empty name, and of its threads by their names.
  private static func processorSeconds(_ process: pid_t) -> [String: Double] {
    let place = "/proc/\(process)"
    var seconds = ["": used(place + "/stat")]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: place + "/task")) ?? [] {
      let name = (try? String(contentsOfFile: place + "/task/\(thread)/comm", encoding: .utf8)) ?? ""
      seconds[name.trimmingCharacters(in: .newlines), default: 0] += used(place + "/task/\(thread)/stat")
    }
    return seconds
  }

  private static func used(_ path: String) -> Double {
    let fields = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
