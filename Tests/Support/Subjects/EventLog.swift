internal import Foundation

/// A file of event lines that grows. Each line is parsed once, when it is whole.
struct EventLog {
  private let path: String
  private var file: FileHandle?
  private var unfinished = Data()
  private var lines = EventLines.none

  init(path: String) {
    self.path = path
  }

  /// Reads on where the last call ended; all lines so far.
  mutating func read() -> EventLines {
    if file == nil { file = FileHandle(forReadingAtPath: path) }
    if let more = try? file?.readToEnd() { unfinished += more }
    if let end = unfinished.lastIndex(of: UInt8(ascii: "\n")) {
      try? lines.append(String(decoding: unfinished[...end], as: UTF8.self))
      unfinished = Data(unfinished[(end + 1)...])
    }
    return lines
  }
}
