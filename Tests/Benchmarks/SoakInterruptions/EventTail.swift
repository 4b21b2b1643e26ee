import Foundation
import HoldfastMediaModel

/// Reads a file of event lines as it grows.
final class EventTail {
  struct Line {
    let at: WallTime
    let fields: [String: Any]

    var event: String { fields["event"] as? String ?? "" }

    func text(_ name: String) -> String? { fields[name] as? String }
    func wallTime(_ name: String) -> WallTime? { text(name).flatMap(WallTime.init(rfc3339:)) }
  }

  private let path: String
  private var file: FileHandle?
  private var unfinished = Data()
  private(set) var lines: [Line] = []

  private static let interval: useconds_t = 2000

  init(path: String) {
    self.path = path
  }

  func named(_ event: String) -> [Line] { lines.filter { $0.event == event } }

  /// Waits until an event has been told so many times; false when that takes too long.
  func wait(for event: String, times: Int, atMost patience: TimeInterval = 20) -> Bool {
    let limit = Date(timeIntervalSinceNow: patience)
    while true {
      read()
      if named(event).count >= times { return true }
      guard Date() < limit else { return false }
      usleep(Self.interval)
    }
  }

  func read() {
    if file == nil { file = FileHandle(forReadingAtPath: path) }
    guard let more = try? file?.readToEnd(), !more.isEmpty else { return }
    unfinished += more
    while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
      let line = unfinished[..<end]
      unfinished = Data(unfinished[(end + 1)...])
      guard let fields = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
        let at = (fields["at"] as? String).flatMap(WallTime.init(rfc3339:))
      else { continue }
      lines.append(Line(at: at, fields: fields))
    }
  }
}
