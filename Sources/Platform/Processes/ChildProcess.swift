import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// A child process in its own process group, without inherited files; one thread owns it.
///
/// `wait` reads its output, of which only the end is kept.
package final class ChildProcess {
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package enum Outcome: Hashable, Sendable {
    case ended(Ending)
    case timedOut
    case woken
  }

  package let command: ChildCommand
  package let identifier: Int32
  private let exit: FileDescriptor
  private var output: FileDescriptor?
  private var input: FileDescriptor?
  private var tail: OutputTail
  private var isReaped = false

  package init(_ command: ChildCommand) throws(SystemError) {
    let (output, input, exit, identifier) = try ChildStart.run(command)
    self.command = command
    self.identifier = identifier
    self.exit = FileDescriptor(owning: exit)
    self.output = FileDescriptor(owning: output)
    let writer = FileDescriptor(owning: input)
    if command.hasInput { self.input = consume writer }
    tail = OutputTail(limit: command.outputLimit)
  }

  deinit {
    // A running process continues, but must be reaped.
    if !isReaped { Self.reapLater(identifier) }
  }

  /// What writes to the child's standard input without waiting; nil without one, or once it has been taken.
  func takeInput() -> FileDescriptor? { input.take() }

  var lastOutput: [UInt8] { tail.bytes }

  package var lastLine: String? { tail.lastLine }

  /// Waits until the process has ended, `deadline` has passed, or `descriptor` is readable.
  package func wait(
    until deadline: MonotonicTime?, or descriptor: Int32 = -1
  ) throws(SystemError) -> Outcome {
    while true {
      var entries = [exit.raw, output?.raw ?? -1, descriptor].map { pollfd($0) }
      let ready = try poll(&entries, until: deadline)
      if entries[1].revents != 0 { read() }
      if entries[0].revents != 0 { return .ended(try reap()) }
      if entries[2].revents != 0 { return .woken }
      if ready == 0 { return .timedOut }
      if let deadline, .now >= deadline { return .timedOut }
    }
  }

  package func signal(_ number: Int32) {
    // The ID of an unreaped process is not reused.
    if !isReaped { kill(-identifier, number) }
  }

  /// Terminates the process group, and kills it after `grace`; nil if it does not end even then.
  @discardableResult
  package func end(grace: MediaTime = .seconds(2)) throws(SystemError) -> Ending? {
    for (number, timeout) in [(SIGTERM, grace), (SIGKILL, .seconds(1))] {
      signal(number)
      if case .ended(let ending) = try wait(until: .now + timeout) { return ending }
    }
    return nil
  }

  private func reap() throws(SystemError) -> Ending {
    // Bounded, as other processes may still write to the pipe.
    for _ in 0..<64 where !read() { break }
    output = nil
    if command.killsGroupAtEnd { signal(SIGKILL) }
    var status: Int32 = 0
    try check("waitpid") { waitpid(identifier, &status, 0) }
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Reads some output; false when none is available.
  @discardableResult
  private func read() -> Bool {
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    guard let raw = output?.raw else { return false }
    let count = Glibc.read(raw, &piece, piece.count)
    if count > 0 {
      tail.add(piece[..<count])
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

/// The end of a process's output.
struct OutputTail: Sendable {
  let limit: Int
  private var kept: [UInt8] = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ bytes: some Collection<UInt8>) {
    kept += bytes.suffix(limit)
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
  }

  var bytes: [UInt8] { Array(kept.suffix(limit)) }

  /// The last nonblank line, without control characters.
  var lastLine: String? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    let texts = lines.reversed().lazy.map { String(decoding: $0, as: UTF8.self).printable }
    return texts.first { text in text.contains { $0 != " " } }
  }
}
