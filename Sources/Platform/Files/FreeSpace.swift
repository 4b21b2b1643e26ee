internal import Glibc
internal import HoldfastCPlatform

/// The room on the disk that holds a file or a folder.
package struct FreeSpace: Hashable, Sendable {
  /// What this user may still write, in bytes.
  package let available: Int
  package let total: Int

  package init(at path: String) throws(SystemError) {
    var status = statvfs()
    try check("statvfs \(path)") { statvfs(path, &status) }
    // Some network disks have no fragment size.
    let unit = Int(clamping: status.f_frsize == 0 ? status.f_bsize : status.f_frsize)
    available = Self.bytes(Int(clamping: status.f_bavail), unit)
    total = Self.bytes(Int(clamping: status.f_blocks), unit)
  }

  private static func bytes(_ blocks: Int, _ unit: Int) -> Int {
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: unit)
    return overflow ? .max : bytes
  }
}

extension SystemError {
  /// There was no room for it: on the disk, in what this user may have of it, or in a single file.
  package var isForWantOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}
