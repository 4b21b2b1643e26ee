internal import Foundation
package import HoldfastMediaModel

/// A TCP proxy in front of a server that misbehaves on command.
package final class FaultProxy: @unchecked Sendable {  // guarded by `lock`
  /// What Tests/Peers/Programs/tcp-fault-proxy says about each.
  package enum Command: Sendable {
    case pass, stall, hold, blackHole, vanish
    case throttle(bytesPerSecond: Int)
    case delay(milliseconds: Int)
    case refuse, reject
    case reset, close
    case orphan, reap
    indirect case cut(afterBytes: Int, Command)

    fileprivate var words: String {
      switch self {
      case .pass: "pass"
      case .stall: "stall"
      case .hold: "hold"
      case .blackHole: "blackhole"
      case .vanish: "vanish"
      case .throttle(let rate): "throttle \(rate)"
      case .delay(let milliseconds): "delay \(milliseconds)"
      case .refuse: "refuse"
      case .reject: "reject"
      case .reset: "reset"
      case .close: "close"
      case .orphan: "orphan"
      case .reap: "reap"
      case .cut(let bytes, let command): "cut \(bytes) \(command.words)"
      }
    }
  }

  /// What has gone through it.
  package struct Status: Sendable {
    /// Open now, and ever.
    package let connections: Int
    package let accepted: Int
    /// To the server, and back.
    package let bytesUp: Int
    package let bytesDown: Int
    /// When the command that waited for a cut was run.
    package let cutAt: MonotonicTime?
  }

  private let reserved: LoopbackPort
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private let lock = NSLock()

  package init(to target: UInt16) throws {
    reserved = try LoopbackPort()
    process.executableURL = URL(fileURLWithPath: Peers.script("tcp-fault-proxy"))
    process.arguments = ["\(reserved.number)", "\(target)"]
    process.standardInput = commands
    process.standardOutput = answers
    try process.start()
    _ = try status()
  }

  deinit {
    // Its standard input ends, and with it the proxy.
    try? commands.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  package var port: UInt16 { reserved.number }

  /// Returns when it has had its effect, and says when that was.
  @discardableResult
  package func make(_ command: Command) throws -> MonotonicTime {
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
        guard !more.isEmpty else { throw Peers.NotReady(description: "the fault proxy has ended") }
        said += more
      }
      let answer = try JSONSerialization.jsonObject(with: said) as? [String: Any] ?? [:]
      if let error = answer["error"] as? String { throw Peers.NotReady(description: error) }
      return answer
    }
  }
}
