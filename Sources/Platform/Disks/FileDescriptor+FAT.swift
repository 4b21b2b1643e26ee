import Glibc
import HoldfastCPlatform

extension FileDescriptor {
  package var isOnFAT: Bool { cp_is_on_fat(raw) == 1 }

  /// On FAT, allocates clusters up to `length` without changing the size; false on other file systems.
  ///
  /// FAT writes a file's new size to disk before the clusters that it takes. After a power cut in between, the kernel
  /// makes the file system read-only once the end of the file is read or written. So a file that grows there has the
  /// clusters for it on disk already, by an earlier sync.
  package func allocateOnFAT(to length: Int) -> Bool {
    guard isOnFAT else { return false }
    // Without room for it, the file grows as usual.
    _ = cp_allocate(raw, length)
    return true
  }

  /// On FAT, brings the clusters of a new folder in this one to disk, and then its entry: an entry without clusters can't
  /// be read after a power cut, and makes the file system read-only.
  func synchronizeOnFAT(newFolder name: String) {
    guard isOnFAT else { return }
    for folder in [name, "."] {
      let raw = cp_openat(raw, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
      // The folder is there, whether or not it can be synced.
      if raw >= 0 { try? FileDescriptor(owning: raw).synchronize() }
    }
  }
}
