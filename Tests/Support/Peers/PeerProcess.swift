internal import Foundation
package import Glibc

/// A process that a test talks with as a peer. It ends with its owner, and with the test's own process at the latest.
package final class PeerProcess: @unchecked Sendable {  // `leash` is used by whoever owns this
  private let leash = Process()
  private let lifeline = Pipe()
  package let identifier: pid_t
  /// Where its standard output and its standard error go.
  package let output: String
  package let errors: String

  package init(
    _ command: [String], output: String, errors: String, environment: [String: String] = [:]
  ) throws {
    leash.executableURL = URL(fileURLWithPath: Peers.script("leash"))
    leash.arguments = [output, errors] + command
    leash.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    leash.standardInput = lifeline
    let said = Pipe()
    leash.standardOutput = said
    try leash.start()
    guard let first = String(data: said.fileHandleForReading.availableData, encoding: .utf8),
      let identifier = pid_t(first.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw Peers.NotReady(description: "\(command[0]) was not started") }
    self.identifier = identifier
    self.output = output
    self.errors = errors
  }

  deinit {
    stop()
  }

  /// Its leash remembers it, so its number is nobody else's until `stop`.
  package func signal(_ number: Int32) {
    guard leash.isRunning else { return }
    kill(identifier, number)
  }

  /// Whether it has ended, by itself or by a signal.
  package var hasEnded: Bool {
    guard leash.isRunning,
      let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
      let state = status.split(separator: ")").last?.split(separator: " ").first
    else { return true }
    return state == "Z"
  }

  /// Kills it where it still runs, and returns when it has gone.
  package func stop() {
    guard leash.isRunning else { return }
    try? lifeline.fileHandleForWriting.close()
    leash.waitUntilExit()
  }

  /// Returns when `port` takes connections.
  package func waitUntilReady(_ port: UInt16) throws {
    let isReady = Peers.wait { hasEnded || LoopbackPort.answers(port) }
    guard isReady, !hasEnded else { throw Peers.NotReady(description: said) }
  }

  var said: String {
    let texts = [output, errors].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    return texts.joined(separator: "\n")
  }
}
