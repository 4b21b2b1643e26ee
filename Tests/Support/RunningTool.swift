import Foundation
import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// A command running concurrently with the test, killed at the latest on release.
package final class RunningTool: @unchecked Sendable {  // guarded by `condition`
  /// A complete line of standard error.
  package struct Line: Sendable {
    package let at: MonotonicTime
    package let text: String
  }

  private let process: Process
  private let condition = NSCondition()
  private var complete: [Line] = []
  private var unfinished = ""
  private var isPipeOpen = true

  package init(_ command: [String], environment: [String: String] = [:]) throws {
    process = Process(command, environment: environment)
    let pipe = Pipe()
    process.standardError = pipe
    try process.start()
    Thread { [weak self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        self?.append(String(decoding: data, as: UTF8.self))
      }
      self?.endPipe()
    }.start()
  }

  deinit {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  private func append(_ text: String) {
    condition.withLock {
      var parts = (unfinished + text).components(separatedBy: "\n")
      unfinished = parts.removeLast()
      complete += parts.map { Line(at: .now, text: $0) }
    }
  }

  private func endPipe() {
    condition.withLock {
      isPipeOpen = false
      condition.broadcast()
    }
  }

  package var isRunning: Bool { process.isRunning }

  package var lines: [Line] { condition.withLock { complete } }

  package func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }

  /// Waits for the end.
  @discardableResult
  package func result() -> (status: Int32, errors: String) {
    let errors = condition.withLock {
      while isPipeOpen { condition.wait() }
      return (complete.map(\.text) + [unfinished]).joined(separator: "\n")
    }
    process.waitUntilExit()
    return (process.terminationStatus, errors)
  }

  /// Ends the command with SIGINT, and after `timeout` seconds with SIGKILL.
  func interrupt(timeout: Double) {
    signal(SIGINT)
    if !eventually(within: timeout, { !process.isRunning }) { signal(SIGKILL) }
    process.waitUntilExit()
  }
}
