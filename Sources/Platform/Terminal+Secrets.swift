import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// What reading from the controlling terminal gave.
package enum TerminalAnswer: Hashable, Sendable {
  case text(String)
  /// By Ctrl-C, or by Ctrl-D or the terminal's end before any character.
  case cancelled
}

/// Asks for a secret on the controlling terminal, where it is not shown; fails if there is none.
///
/// Until the answer, the terminal sends no signals, so that no interruption leaves it without its echo; a signal that ends the
/// process does so once the echo is back. `stop` cancels the question. A job in the background is refused rather than stopped
/// by the terminal.
package func readSecret(
  prompt: String, from path: String = "/dev/tty", until stop: Wakeup? = nil
) throws(SystemError) -> TerminalAnswer {
  let terminal = try FileDescriptor(opening: path, O_RDWR | O_NOCTTY)
  let held = HeldSignals([SIGTTIN, SIGTTOU, SIGTERM, SIGHUP, SIGINT])
  defer { held.release() }
  // A terminal that is not this process's own stops nobody.
  let job = tcgetpgrp(terminal.raw)
  guard job < 0 || job == getpgrp() else {
    throw SystemError(operation: "ask at \(path)", code: ENOTTY)
  }
  var before = termios()
  try check("tcgetattr") { tcgetattr(terminal.raw, &before) }
  var silent = before
  silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
  // What was typed before is thrown away: it was not meant for this question, and may have been shown.
  try check("tcsetattr") { tcsetattr(terminal.raw, TCSAFLUSH, &silent) }
  silenced.withLock { [before] in $0 = (terminal.raw, before) }
  defer {
    tcsetattr(terminal.raw, TCSADRAIN, &before)
    silenced.withLock { $0 = nil }
  }
  try terminal.write(Array(prompt.utf8))
  var line = SecretLine()
  while true {
    var poller = Poller()
    let typed = poller.add(terminal.raw)
    if let stop { poller.add(stop.descriptor) }
    try poller.wait(until: .now + HeldSignals.pause)
    if stop?.isSignalled == true || held.endsProcess { return .cancelled }
    guard poller.mayRead(typed) else { continue }
    var byte: UInt8 = 0
    let count = try check("read \(path)") { read(terminal.raw, &byte, 1) }
    guard let answer = count == 0 ? .cancelled : line.take(byte) else { continue }
    try terminal.write([0x0A])
    return answer
  }
}

/// Signals that wait for this thread, unless another thread of the process takes them.
private struct HeldSignals {
  private var before = sigset_t()

  /// How often to look for one.
  static let pause = MediaTime.milliseconds(200)

  init(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, &before)
  }

  /// Whether one waits that ends the process as soon as it is released.
  var endsProcess: Bool {
    var waiting = sigset_t()
    sigpending(&waiting)
    return [SIGTERM, SIGHUP, SIGINT].contains { number in
      withUnsafePointer(to: before) { sigismember($0, number) == 0 } && sigismember(&waiting, number) == 1
    }
  }

  func release() { _ = withUnsafePointer(to: before) { pthread_sigmask(SIG_SETMASK, $0, nil) } }
}

/// The terminal without its echo, and its settings before.
private let silenced = Locked<(terminal: Int32, before: termios)?>(nil)

/// Takes back what a question has changed that is open when the process ends.
func restoreTerminal() {
  silenced.withLock { silenced in
    guard var last = silenced.take() else { return }
    tcsetattr(last.terminal, TCSADRAIN, &last.before)
  }
}

/// A line that is typed without being shown, byte by byte as a terminal in raw mode sends it.
struct SecretLine {
  private var bytes: [UInt8] = []

  static let limit = 4096

  /// The answer, once it is complete.
  mutating func take(_ byte: UInt8) -> TerminalAnswer? {
    switch byte {
    case 0x0A, 0x0D: return .text(String(decoding: bytes, as: UTF8.self))
    case 0x03: return .cancelled
    case 0x04: return bytes.isEmpty ? .cancelled : .text(String(decoding: bytes, as: UTF8.self))
    // Ctrl-U erases all, backspace one character.
    case 0x15: bytes = []
    case 0x08, 0x7F:
      while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    default:
      if bytes.count < Self.limit { bytes.append(byte) }
    }
    return nil
  }
}
