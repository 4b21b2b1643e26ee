import Foundation
package import Glibc

package protocol Peer: Sendable {
  var process: PeerProcess { get }
}

extension Peer {
  /// Suspends the process; its connections stay open.
  package func freeze() { process.signal(SIGSTOP) }
  package func thaw() { process.signal(SIGCONT) }

  package func kill() { process.stop() }

  /// Starts it again, on the same port.
  package func start() throws { try process.start() }
}

/// A peer process of a test. It is killed with its owner, at the latest with the test process.
package final class PeerProcess: @unchecked Sendable {  // guarded by `lock`
  private struct Leash {
    let process = Process()
    let lifeline = Pipe()
    let identifier: pid_t

    init(_ arguments: [String]) throws {
      process.executableURL = URL(fileURLWithPath: peerProgram("leash"))
      process.arguments = arguments
      process.standardInput = lifeline
      let answer = Pipe()
      process.standardOutput = answer
      try process.start()
      guard let first = String(data: answer.fileHandleForReading.availableData, encoding: .utf8),
        let identifier = pid_t(first.trimmingCharacters(in: .whitespacesAndNewlines))
      else { throw TestFailure("\(arguments) was not started") }
      self.identifier = identifier
    }
  }

  private let command: [String]
  private let isReady: @Sendable (PeerProcess) -> Bool
  private let lock = NSLock()
  private var leash: Leash?
  package let output: String
  package let errors: String

  package init(
    _ command: [String], output: String, errors: String,
    until isReady: @escaping @Sendable (PeerProcess) -> Bool = { _ in true }
  ) throws {
    (self.command, self.output, self.errors, self.isReady) = (command, output, errors, isReady)
    try start()
  }

  /// A server on `port`, which writes to `log` with the endings `.log` and `.errors`.
  package convenience init(_ command: [String], serving port: UInt16, log: String) throws {
    try self.init(command, output: log + ".log", errors: log + ".errors") { _ in LoopbackPort.answers(port) }
  }

  deinit { stop() }

  package func start() throws {
    let started = try Leash([output, errors] + command)
    lock.withLock { leash = started }
    guard eventually({ hasEnded || isReady(self) }), !hasEnded else { throw TestFailure(text) }
  }

  private var running: Leash? { lock.withLock { leash.flatMap { $0.process.isRunning ? $0 : nil } } }

  /// Nil once it has ended.
  package var identifier: pid_t? { running?.identifier }

  /// Sends a signal. The leash holds the process ID, so it cannot have been reused.
  package func signal(_ number: Int32) { if let running { kill(running.identifier, number) } }

  package var hasEnded: Bool {
    guard let running, let state = state(ofProcess: running.identifier) else { return true }
    return state == "Z"
  }

  package func stop() {
    guard let running else { return }
    kill(running.identifier, SIGKILL)
    try? running.lifeline.fileHandleForWriting.close()
    running.process.waitUntilExit()
  }

  package var text: String {
    [output, errors].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
  }
}
