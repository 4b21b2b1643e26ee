internal import Glibc
internal import HoldfastCPlatform

/// Standard error: lines for people, and one line that stays in place on a terminal.
package final class Terminal: Sendable {
  private let status = Locked("")
  package let isInteractive: Bool

  package init() {
    isInteractive = isatty(STDERR_FILENO) == 1
  }

  package var columns: Int { Int(cp_window_columns(STDERR_FILENO)) }

  /// Writes a line; the status line moves below it.
  package func print(_ line: String) {
    status.withLock { status in
      write((status.isEmpty ? "" : "\r\u{1B}[K") + line + "\n" + status)
    }
  }

  /// Shows `line` in place of the last status line; it must fit into `columns`.
  package func show(status line: String) {
    status.withLock { status in
      status = line
      write("\r\u{1B}[K" + line)
    }
  }

  /// Takes the status line away.
  package func finishStatus() {
    status.withLock { status in
      if !status.isEmpty { write("\r\u{1B}[K") }
      status = ""
    }
  }

  private func write(_ text: String) {
    writeAll(text, to: STDERR_FILENO)
  }
}

/// Standard output, for what was asked for: listings and JSON.
package func printOutput(_ text: String) {
  writeAll(text + "\n", to: STDOUT_FILENO)
}

/// Somebody looks at it, rather than a program or a file.
package var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// Writes what it can; a reader that has gone is not our failure.
private func writeAll(_ text: String, to descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, cp_errno() != EINTR { return }
    bytes = bytes.dropFirst(max(0, count))
  }
}
