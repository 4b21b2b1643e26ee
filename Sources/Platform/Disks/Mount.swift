/// A mounted file system.
package struct Mount: Hashable, Sendable {
  package let device: String
  package let folder: String
  package let type: String

  /// The one on which the folder of the file is; nil if it is not known.
  package init?(ofFolderOf path: String) {
    guard let disk = try? diskNumber(ofFolderOf: path),
      let list = try? FileDescriptor.contents(of: "/proc/self/mountinfo", limit: 1 << 22)
    else { return nil }
    self.init(of: disk, in: String(decoding: list, as: UTF8.self))
  }

  /// `list` is as in `/proc/self/mountinfo`: `29 1 8:1 / /media/stick rw,relatime shared:1 - vfat /dev/sda1 rw`.
  init?(of disk: UInt64, in list: String) {
    let (major, minor) = (disk >> 8 & 0xFFF | disk >> 32 & ~0xFFF, disk & 0xFF | disk >> 12 & ~0xFF)
    for line in list.split(separator: "\n").reversed() {
      let fields = line.split(separator: " ")
      guard fields.count > 6, fields[2] == "\(major):\(minor)",
        let rest = fields.firstIndex(of: "-").map({ fields[($0 + 1)...] }), rest.count > 1
      else { continue }
      device = String(rest[rest.startIndex + 1])
      folder = String(fields[4])
      type = String(rest[rest.startIndex])
      return
    }
    return nil
  }
}
