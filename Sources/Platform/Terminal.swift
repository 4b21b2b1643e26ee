import Glibc
import HoldfastCPlatform

/// Standard error, with one status line below the other output.
package final class Terminal: Sendable {
  private let status = Locked("")
  package let isInteractive: Bool

  package init() { isInteractive = isatty(STDERR_FILENO) == 1 }

  package var columns: Int { Int(cp_window_columns(STDERR_FILENO)) }

  /// Writes a line above the status line.
  package func print(_ line: String) {
    status.withLock { status in
      write((status.isEmpty ? "" : "\r\u{1B}[K") + line + "\n" + status)
    }
  }

  /// Replaces the status line; `line` must fit into `columns`.
  package func show(status line: String) {
    status.withLock { status in
      status = line
      write("\r\u{1B}[K" + line)
    }
  }

  package func finishStatus() {
    status.withLock { status in
      if !status.isEmpty { write("\r\u{1B}[K") }
      status = ""
    }
  }

  private func write(_ text: String) { writeAll(text, to: STDERR_FILENO) }
}

/// Prints a result, such as a listing or JSON, to standard output.
package func printOutput(_ text: String) { writeAll(text + "\n", to: STDOUT_FILENO) }

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
