internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

/// A program that runs beside ours, in a process group of its own, with nothing of ours but its environment.
///
/// Its input is empty. What it says on standard output and standard error is read all the time, so that it is never held
/// up, and all but the end of it is forgotten. One thread owns it.
package final class ChildProcess {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package enum Outcome: Hashable, Sendable {
    case ended(Ending)
    /// The time is over, and it still runs.
    case timedOut
    /// The descriptor that was waited for, too, has something to tell.
    case woken
  }

  package let command: ChildCommand
  package let identifier: Int32
  private let exit: FileDescriptor
  private var output: FileDescriptor?
  private var said: OutputTail
  private var isReaped = false

  package init(_ command: ChildCommand) throws(SystemError) {
    let (output, exit, identifier) = try ChildStart.run(command)
    self.command = command
    self.identifier = identifier
    self.exit = FileDescriptor(owning: exit)
    self.output = FileDescriptor(owning: output)
    said = OutputTail(limit: command.outputLimit)
  }

  deinit {
    // Whoever lets go of one that runs leaves it alone; somebody has to see it off.
    if !isReaped { Self.reapLater(identifier) }
  }

  /// The end of what it has said.
  package var lastOutput: [UInt8] { said.bytes }

  /// The last line of it that isn't empty.
  package var lastLine: String? { said.lastLine }

  /// Waits until it has ended, until `deadline` where there is one, or until `descriptor` can be read.
  package func wait(until deadline: MonotonicTime?, or descriptor: Int32 = -1) throws(SystemError) -> Outcome
  {
    while true {
      var entries = [exit.raw, output?.raw ?? -1, descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = try poll(&entries, until: deadline)
      if entries[1].revents != 0 { read() }
      if entries[0].revents != 0 { return .ended(try reap()) }
      if entries[2].revents != 0 { return .woken }
      if ready == 0 { return .timedOut }
      if let deadline, .now >= deadline { return .timedOut }
    }
  }

  /// Sends a signal to all of its group.
  package func signal(_ number: Int32) {
    // Until it has been waited for, its number is nobody else's.
    if !isReaped { kill(-identifier, number) }
  }

  /// Asks it and all that it has started to end, and after `grace` makes them. Nil where not even that helps: it hangs
  /// in the kernel, and is left alone.
  @discardableResult
  package func end(grace: MediaTime = .seconds(2)) throws(SystemError) -> Ending? {
    for (number, patience) in [(SIGTERM, grace), (SIGKILL, .seconds(1))] {
      signal(number)
      if case .ended(let ending) = try wait(until: .now + patience) { return ending }
    }
    return nil
  }

  private func reap() throws(SystemError) -> Ending {
    // Others may have its output, too, and go on: no more than a pipe holds.
    for _ in 0..<64 where !read() { break }
    output = nil
    // Until it is waited for, its group is nobody else's.
    if command.leavesNobodyBehind { signal(SIGKILL) }
    var status: Int32 = 0
    try check("waitpid") { waitpid(identifier, &status, 0) }
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Takes what there is; false when there is nothing more for now.
  @discardableResult
  private func read() -> Bool {
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    guard let raw = output?.raw else { return false }
    let count = Glibc.read(raw, &piece, piece.count)
    if count > 0 {
      said.add(piece[..<count])
      return true
    }
    if count == 0 || cp_errno() != EAGAIN { output = nil }
    return false
  }

  private static func reapLater(_ identifier: Int32) {
    let thread = try? WorkerThread(name: "reaper") {
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) == -1, cp_errno() == EINTR {}
    }
    if let thread { thread.abandon() }
  }
}
