package import HoldfastMP4
internal import HoldfastPlatform

/// A recording's file that is only read.
package final class OpenRecording: Sendable {
  package let path: String
  let file: FileDescriptor
  package let bytes: RecordingBytes
  /// A broadcast is still writing it.
  package let isBeingWritten: Bool

  package init(path: String) throws {
    let file = try FileDescriptor.openForReading(path)
    isBeingWritten = file.hasWriter
    bytes = try RecordingBytes(file)
    self.file = file
    self.path = path
  }

  package var size: Int { bytes.size }
}
