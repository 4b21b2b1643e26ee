internal import HoldfastPlatform

/// A recording's file that is only read.
package final class OpenRecording: Sendable {
  package let path: String
  let file: FileDescriptor
  package let size: Int
  /// A broadcast is still writing it.
  package let isBeingWritten: Bool

  package init(path: String) throws {
    let file = try FileDescriptor.openForReading(path)
    isBeingWritten = file.hasWriter
    size = try file.size()
    self.file = file
    self.path = path
  }

  package var bytes: RecordingBytes {
    RecordingBytes(size: size) { [self] (count, offset) throws(FragmentedFileError) in
      do throws(SystemError) {
        return try file.bytes(count, at: offset)
      } catch {
        throw .unreadable("\(error)")
      }
    }
  }
}
