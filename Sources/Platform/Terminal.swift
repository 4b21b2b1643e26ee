import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// Standard error, with one status line below the other output.
///
/// Lines to the journal carry their priority. A `log` that goes to a file or a pipe has timestamps, and never blocks.
package final class Terminal: Sendable {
  private enum Prefix {
    case none, priority, time
  }

  private let status = Locked("")
  /// Of a log.
  private let writer: LineWriter?
  private let prefix: Prefix
  package let isInteractive: Bool

  package init(isLog: Bool = false) {
    isInteractive = isatty(STDERR_FILENO) == 1
    prefix = isInteractive ? .none : isStandardErrorTheJournal ? .priority : isLog ? .time : .none
    writer = isLog ? try? LineWriter(name: "log", FileDescriptor.duplicate(STDERR_FILENO)) : nil
  }

  package func flush(within time: MediaTime) { writer?.flush(within: time) }

  /// Writes what a slow reader has not taken yet, as far as it does so in time.
  package func finish() { writer?.finish(within: .seconds(2)) }

  package var columns: Int { Int(cp_window_columns(STDERR_FILENO)) }

  /// Writes `text`, of one line or more, above the status line.
  package func print(_ text: String, _ priority: LinePriority = .notice) {
    let lines = text.printableLines.split(separator: "\n", omittingEmptySubsequences: false).map {
      prefix(priority) + $0 + "\n"
    }
    status.withLock { status in
      write((status.isEmpty ? "" : Self.clearLine) + lines.joined() + status)
    }
  }

  private func write(_ text: String) {
    guard let writer else { return writeAll(text, to: STDERR_FILENO) }
    writer.write(text) { "\(prefix(.warning))\($0) messages before this one were lost: nobody read them\n" }
  }

  private func prefix(_ priority: LinePriority) -> String {
    switch prefix {
    case .none: ""
    case .priority: "<\(priority.rawValue)>"
    case .time: WallTime.now.rfc3339 + " "
    }
  }

  private static let clearLine = "\r\u{1B}[K"

  /// Replaces the status line; `line` must fit into `columns`.
  package func show(status line: String) {
    let line = line.printable
    status.withLock { status in
      status = line
      guard let writer else { return writeAll(Self.clearLine + line, to: STDERR_FILENO) }
      writer.writeAtOnce(Self.clearLine + line)
    }
  }

  package func finishStatus() {
    status.withLock { status in
      if !status.isEmpty { write(Self.clearLine) }
      status = ""
    }
  }

}

/// Whether systemd has connected standard error to its journal: `$JOURNAL_STREAM` is DEVICE:INODE.
private var isStandardErrorTheJournal: Bool {
  var status = stat()
  guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
  return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
}

/// Prints a result, such as a listing or JSON, to standard output; on a new page of a terminal if `isPage`.
package func printOutput(_ text: String, isPage: Bool = false) {
  writeAll((isPage ? "\u{1B}[H\u{1B}[J" : "") + text.printableLines + "\n", to: STDOUT_FILENO)
}

package var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// A person at a terminal has started the program, and reads what it says.
package var isStartedAtTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

/// Ignores errors, such as a closed pipe.
private func writeAll(_ text: String, to descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, cp_errno() != EINTR { return }
    bytes = bytes.dropFirst(max(0, count))
  }
}
