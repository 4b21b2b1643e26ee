internal import Foundation
internal import Glibc

/// A server or a daemon that a test runs in a process of its own.
package protocol Peer: Sendable {
  var process: PeerProcess { get }
}

extension Peer {
  /// It keeps its connections and does nothing any more.
  package func freeze() { process.signal(SIGSTOP) }
  package func thaw() { process.signal(SIGCONT) }

  /// The kernel closes its connections.
  package func kill() { process.stop() }
}

/// A process that a test talks with as a peer. It ends with its owner, and with the test's own process at the latest.
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
  /// Where its standard output and its standard error go.
  package let output: String
  package let errors: String

  /// Returns when `isReady` holds.
  package init(
    _ command: [String], output: String, errors: String,
    until isReady: @escaping @Sendable (PeerProcess) -> Bool = { _ in true }
  ) throws {
    (self.command, self.output, self.errors, self.isReady) = (command, output, errors, isReady)
    try start()
  }

  deinit {
    stop()
  }

  /// Starts it again; returns when it is ready.
  func start() throws {
    let started = try Leash([output, errors] + command)
    lock.withLock { leash = started }
    guard eventually({ hasEnded || isReady(self) }), !hasEnded else { throw TestFailure(text) }
  }

  private var running: Leash? {
    lock.withLock { leash.flatMap { $0.process.isRunning ? $0 : nil } }
  }

  /// Its leash remembers it, so its number is nobody else's until `stop`.
  package func signal(_ number: Int32) {
    if let running { kill(running.identifier, number) }
  }

  /// Whether it has ended, by itself or by a signal.
  package var hasEnded: Bool {
    guard let running,
      let status = try? String(contentsOfFile: "/proc/\(running.identifier)/stat", encoding: .utf8),
      let state = status.split(separator: ")").last?.split(separator: " ").first
    else { return true }
    return state == "Z"
  }

  /// Kills it where it still runs, and returns when it has gone.
  package func stop() {
    guard let running else { return }
    kill(running.identifier, SIGKILL)
    try? running.lifeline.fileHandleForWriting.close()
    running.process.waitUntilExit()
  }

  /// All that it wrote.
  var text: String {
    [output, errors].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
  }
}
