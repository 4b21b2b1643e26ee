import Foundation
package import HoldfastMediaModel

/// A TCP proxy in front of a server that fails on command.
package final class FaultProxy: @unchecked Sendable {  // guarded by `lock`
  /// A command of Tests/Peers/Programs/tcp-fault-proxy, which documents them.
  package indirect enum Command: Sendable {
    case pass, stall, hold, blackHole, vanish, refuse, reject, reset, close, orphan, reap
    case throttle(bytesPerSecond: Int)
    case cut(afterBytes: Int, Command)

    fileprivate var words: String {
      switch self {
      case .pass, .stall, .hold, .blackHole, .vanish, .refuse, .reject, .reset, .close, .orphan, .reap:
        "\(self)".lowercased()
      case .throttle(let rate): "throttle \(rate)"
      case .cut(let bytes, let command): "cut \(bytes) \(command.words)"
      }
    }
  }

  package struct Status: Sendable {
    /// Open connections, and all accepted so far.
    package let connections: Int
    package let accepted: Int
    /// Bytes forwarded to the server, and back.
    package let bytesUp: Int
    package let bytesDown: Int
    package let cutAt: MonotonicTime?
  }

  private let reserved: LoopbackPort
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private let lock = NSLock()

  package init(to target: UInt16) throws {
    reserved = try LoopbackPort()
    process.executableURL = URL(fileURLWithPath: peerProgram("tcp-fault-proxy"))
    process.arguments = ["\(reserved.number)", "\(target)"]
    process.standardInput = commands
    process.standardOutput = answers
    try process.start()
    _ = try status()
  }

  deinit {
    // The proxy exits at the end of its standard input.
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  package var port: UInt16 { reserved.number }

  @discardableResult
  package func perform(_ command: Command) throws -> MonotonicTime {
    let answer = try ask(command.words)
    return MonotonicTime(seconds: answer["at"] as? Double ?? 0)
  }

  package func status() throws -> Status {
    let answer = try ask("status")
    return Status(
      connections: answer["connections"] as? Int ?? 0, accepted: answer["accepted"] as? Int ?? 0,
      bytesUp: answer["up"] as? Int ?? 0, bytesDown: answer["down"] as? Int ?? 0,
      cutAt: (answer["cutAt"] as? Double).map(MonotonicTime.init(seconds:)))
  }

  private func ask(_ line: String) throws -> [String: Any] {
    try lock.withLock {
      try commands.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
      var said = Data()
      while said.last != UInt8(ascii: "\n") {
        let more = answers.fileHandleForReading.availableData
        guard !more.isEmpty else { throw TestFailure("the fault proxy has ended") }
        said += more
      }
      let answer = try JSONSerialization.jsonObject(with: said) as? [String: Any] ?? [:]
      if let error = answer["error"] as? String { throw TestFailure(error) }
      return answer
    }
  }
}
