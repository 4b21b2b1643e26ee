import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// A running command with timestamped lines of its standard error.
final class TimedLines: @unchecked Sendable {  // guarded by `lock`
  struct Line {
    let at: MonotonicTime
    let text: String
  }

  private let process = Process()
  private let lock = NSLock()
  private var said: [Line] = []
  private var unfinished = ""

  init(_ command: [String], environment: [String: String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardError = pipe
    try process.start()
    let reader = Thread { [weak self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        self?.take(String(decoding: data, as: UTF8.self))
      }
    }
    reader.start()
  }

  deinit {
    end(atMost: 0)
  }

  private func take(_ text: String) {
    lock.withLock {
      var parts = (unfinished + text).components(separatedBy: "\n")
      unfinished = parts.removeLast()
      said += parts.map { Line(at: .now, text: $0) }
    }
  }

  var lines: [Line] { lock.withLock { said } }

  func end(atMost timeout: Double) {
    guard process.isRunning else { return }
    if timeout > 0 { process.interrupt() }
    if !eventually(within: timeout, { !process.isRunning }) {
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
  }
}
