package import HoldfastMP4
package import HoldfastPlatform

/// A recording opened for reading.
package final class OpenRecording: Sendable {
  let file: FileDescriptor
  package let bytes: RecordingBytes
  package let isBeingWritten: Bool
  /// When it was opened.
  let stamp: FileStamp

  package convenience init(path: String) throws { try self.init(at: FilePlace(path, followsLink: true)) }

  init(at place: borrowing FilePlace) throws {
    let file = try FileDescriptor.openForReading(place)
    stamp = try FileStamp(of: file)
    isBeingWritten = file.hasWriter
    bytes = try RecordingBytes(file).restored()
    self.file = file
  }
}

extension RecordingBytes {
  /// The bytes of `file` at its current size; duplicates the descriptor.
  package init(_ file: borrowing FileDescriptor) throws(FragmentedFileError) {
    /// Lets a closure own the descriptor.
    final class Owner: Sendable {
      let file: FileDescriptor
      init(_ file: consuming FileDescriptor) { self.file = file }
    }
    do throws(SystemError) {
      let owner = Owner(try file.duplicate())
      self.init(size: try file.size()) { (count, offset) throws(FragmentedFileError) in
        do throws(SystemError) { return try owner.file.bytes(count, at: offset) } catch {
          throw .unreadable("\(error)")
        }
      }
    } catch {
      throw .unreadable("\(error)")
    }
  }
}
