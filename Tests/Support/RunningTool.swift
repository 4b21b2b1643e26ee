import Foundation
import Glibc

/// A command running concurrently with the test, killed at the latest on release.
package final class RunningTool {
  private let process = Process()
  private let errors = Pipe()

  package init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.start()
  }

  deinit {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  package var isRunning: Bool { process.isRunning }

  package func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  @discardableResult
  package func result() -> (status: Int32, errors: String) {
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
