import HoldfastMediaModel
import HoldfastPlatform

/// Shows an export's progress on standard error, a few times per second, on a terminal only.
final class ExportConsole: Sendable {
  private let terminal = Terminal()
  private let shown = Locked<MonotonicTime?>(nil)

  func print(_ line: String) { terminal.print(line) }

  func show(_ time: MediaTime, of all: MediaTime) {
    guard terminal.isInteractive else { return }
    let now = MonotonicTime.now
    let isDue = shown.withLock { shown in
      if let last = shown, now - last < .milliseconds(200) { return false }
      shown = now
      return true
    }
    if isDue { terminal.show(status: String(Self.line(time, of: all).prefix(max(20, terminal.columns - 1)))) }
  }

  static func line(_ time: MediaTime, of all: MediaTime) -> String {
    let part = all > .zero ? min(100, Int(time.seconds / all.seconds * 100)) : 100
    return "exporting: \(time.description.dropLast(4)) of \(all.description.dropLast(4)), \(part) %"
  }

  func finish() { terminal.finishStatus() }
}
