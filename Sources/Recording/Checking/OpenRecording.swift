internal import Platform

/// A recording's file that is only read.
public final class OpenRecording: Sendable {
  public let path: String
  let file: FileDescriptor
  public let size: Int
  /// A broadcast is still writing it.
  public let isBeingWritten: Bool

  public init(path: String) throws {
    let file = try FileDescriptor.openForReading(path)
    isBeingWritten = file.hasWriter
    size = try file.size()
    self.file = file
    self.path = path
  }

  public var bytes: RecordingBytes {
    RecordingBytes(size: size) { [self] (count, offset) throws(FragmentedFileError) in
      do throws(SystemError) {
        return try file.bytes(count, at: offset)
      } catch {
        throw .unreadable("\(error)")
      }
    }
  }
}
