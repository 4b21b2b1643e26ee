package import HoldfastMediaModel
import HoldfastPlatform

/// The file that event lines are appended to. A reader that stalls loses lines, which are counted, and holds nothing up.
package final class EventFile: Sendable {
  private let path: String
  private let writer: LineWriter

  /// How long a slow reader is waited for at the end.
  private static let limit = MediaTime.seconds(2)

  /// `-` is standard output; `warn` is told when lines are lost.
  package init(_ path: String, warn: @escaping @Sendable (String) -> Void) throws(Refusal) {
    self.path = path
    do throws(SystemError) {
      writer = try LineWriter(name: "events", try Self.open(path)) { trouble in
        let reason =
          switch trouble {
          case .tooSlow: "its reader is too slow"
          case .failed(let error): "\(error)"
          }
        warn("event lines to \(path == "-" ? "standard output" : path) are lost: \(reason)")
      }
    } catch {
      throw Self.refusal(path, error)
    }
  }

  /// A rotation may rename it.
  package var isRotatable: Bool { path != "-" }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    path == "-" ? try FileDescriptor.standardOutput() : try FileDescriptor.create(path, .appending)
  }

  private static func refusal(_ path: String, _ error: SystemError) -> Refusal {
    Refusal(.disk, path, "\(error)", "choose a writable file with --events, or - for standard output")
  }

  /// Never blocks.
  package func write(_ line: String) { writer.write(line + "\n") { Self.note(lost: $0) + "\n" } }

  private static func note(lost: Int) -> String {
    let fields: KeyValuePairs<String, JSONValue> = [
      "at": .text(WallTime.now.rfc3339), "event": "eventsLost", "broadcast": .null, "lines": JSONValue(lost),
    ]
    return JSONValue.object(fields.map { .init($0.key, $0.value) }).description
  }

  /// Opens the path again, which may name another file after a rotation. On failure the old file stays.
  package func reopen() throws(Refusal) {
    guard isRotatable else { return }
    do throws(SystemError) { writer.replace(by: try Self.open(path)) } catch {
      throw Self.refusal(path, error)
    }
  }

  package func flush(within time: MediaTime) { writer.flush(within: time) }

  package func finish() { writer.finish(within: Self.limit) }
}
