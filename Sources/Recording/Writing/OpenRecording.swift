package import HoldfastMP4
internal import HoldfastPlatform

/// A recording's file that is only read.
package final class OpenRecording: Sendable {
  let file: FileDescriptor
  package let bytes: RecordingBytes
  /// A broadcast is still writing it.
  package let isBeingWritten: Bool

  package init(path: String) throws {
    let file = try FileDescriptor.openForReading(path)
    isBeingWritten = file.hasWriter
    bytes = try RecordingBytes(file)
    self.file = file
  }
}

extension RecordingBytes {
  /// Those of `file` as long as it is now, of which it keeps a hold of its own.
  init(_ file: borrowing FileDescriptor) throws(FragmentedFileError) {
    /// What a closure can keep.
    final class Hold: Sendable {
      let file: FileDescriptor
      init(_ file: consuming FileDescriptor) { self.file = file }
    }
    do throws(SystemError) {
      let hold = Hold(try file.duplicate())
      self.init(size: try file.size()) { (count, offset) throws(FragmentedFileError) in
        do throws(SystemError) { return try hold.file.bytes(count, at: offset) } catch {
          throw .unreadable("\(error)")
        }
      }
    } catch {
      throw .unreadable("\(error)")
    }
  }
}
