import HoldfastPlatform

/// The file that event lines are appended to.
final class EventFile: Sendable {
  private let path: String
  private let file: Locked<FileDescriptor?>

  /// `-` is standard output.
  init(_ path: String) throws(Refusal) {
    self.path = path
    file = Locked(try Self.open(path))
  }

  /// A rotation may rename it.
  var isRotatable: Bool { path != "-" }

  private static func open(_ path: String) throws(Refusal) -> FileDescriptor {
    do throws(SystemError) {
      return path == "-" ? try FileDescriptor.standardOutput() : try FileDescriptor.create(path, .appending)
    } catch {
      throw Refusal(
        .disk, path, "\(error)", "choose a writable file with --events, or - for standard output")
    }
  }

  /// Ignores errors: the broadcast continues without a reader of its events.
  func write(_ line: String) {
    file.withLock { try? $0?.write(Array((line + "\n").utf8)) }
  }

  /// Opens the path again, which may name another file after a rotation. On failure the old file stays.
  func reopen() throws(Refusal) {
    guard isRotatable else { return }
    var new: FileDescriptor? = try Self.open(path)
    file.withLock { $0 = new.take() }
  }
}
