internal import HoldfastMP4
internal import HoldfastPlatform

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
