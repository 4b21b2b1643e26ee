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
}
