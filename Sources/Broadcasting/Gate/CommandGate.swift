import HoldfastMediaModel
package import HoldfastPlatform

/// A gate that runs a shell command: exit status 0 passes; anything else refuses, with the last line of
/// output as the reason. The command runs in its own process group, which ends with it.
package final class CommandGate: GoLiveGate {
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case exited(Int32, said: String?)
    case killed(signal: Int32, said: String?)
    case system(String)

    package var description: String {
      switch self {
      case .exited(_, let said?), .killed(_, let said?): said
      case .exited(let status, nil): "its command exited with status \(status)"
      case .killed(let signal, nil): "its command was killed by signal \(signal)"
      case .system(let what): "its command can't be started: \(what)"
      }
    }
  }

  private let command: String
  private let environment: [String: String]
  private let confinement: FolderConfinement?

  private static let longestReason = 200
  /// The time for the command to exit after a request to end.
  private static let grace = MediaTime.milliseconds(500)

  /// `environment` is that of this process.
  package init(_ command: String, environment: [String: String], confinement: FolderConfinement? = nil) {
    self.command = command
    self.environment = environment.forChild
    self.confinement = confinement
  }

  package func authorize(_ broadcast: BroadcastInfo) async throws {
    let stop = try Wakeup()
    let thread = ThreadSlot()
    defer { thread.join() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        do {
          try thread.start(name: "gate") { [self] in
            done.resume(with: Result { try run(broadcast, until: stop) })
          }
        } catch {
          done.resume(throwing: Failure.system("\(error)"))
        }
      }
    } onCancel: {
      stop.signal()
    }
  }

  private func run(_ broadcast: BroadcastInfo, until stop: Wakeup) throws {
    var variables = environment
    variables["HOLDFAST_GATE_OCCASION"] = broadcast.occasion.rawValue
    variables["HOLDFAST_GATE_BROADCAST"] = broadcast.id
    variables["HOLDFAST_GATE_NAME"] = broadcast.name
    variables["HOLDFAST_GATE_OUTPUTS"] = broadcast.outputs.joined(separator: " ")
    var command = ChildCommand.shell(command, [broadcast.occasion.rawValue], environment: variables)
    command.killsGroupAtEnd = true
    command.confinement = confinement
    let outcome: ChildProcess.Outcome
    let child: ChildProcess
    do {
      child = try ChildProcess(command)
      outcome = try child.wait(until: nil, or: stop.descriptor)
    } catch {
      throw Failure.system("\(error)")
    }
    switch outcome {
    case .ended(.exited(0)): return
    case .ended(.exited(let status)): throw Failure.exited(status, said: Self.reason(child))
    case .ended(.killed(let signal)): throw Failure.killed(signal: signal, said: Self.reason(child))
    case .timedOut, .woken:
      _ = try? child.end(grace: Self.grace)
      throw CancellationError()
    }
  }

  private static func reason(_ child: ChildProcess) -> String? {
    child.lastLine.map { $0.count > longestReason ? $0.prefix(longestReason) + "…" : $0 }
  }
}
