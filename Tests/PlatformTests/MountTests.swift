import Testing

@testable import HoldfastPlatform

/// The file system of a path, as the kernel lists it.
@Suite struct MountTests {
  private let list = """
    28 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
    97 28 8:1 / /media/stick rw,nosuid shared:52 master:3 - vfat /dev/sda1 rw,errors=remount-ro
    98 28 8:17 / /media/other rw - ext4 /dev/sdb1 rw
    """

  @Test(arguments: [
    (0x801, "/dev/sda1", "/media/stick", "vfat"), (0x811, "/dev/sdb1", "/media/other", "ext4"),
    (0x1_0302, "/dev/nvme0n1p2", "/", "ext4"),
  ])
  func `a disk's number leads to its device and mount point`(
    disk: UInt64, device: String, folder: String, type: String
  ) throws {
    let mount = try #require(Mount(of: disk, in: list))
    #expect((mount.device, mount.folder, mount.type) == (device, folder, type))
  }

  @Test func `a mounted disk has another one below it, and the root's has none`() throws {
    let root = try diskNumber(ofFolderOf: "/file")
    #expect(try diskNumber(belowFolderOf: "/proc/self/file") == root)
    #expect(try diskNumber(ofFolderOf: "/proc/self/file") != root)
    #expect(try diskNumber(belowFolderOf: "/file") == nil)
  }

  @Test func `a disk that is not listed, and a line that is cut off, have none`() {
    #expect(Mount(of: 0x802, in: list) == nil)
    #expect(Mount(of: 0x801, in: "97 28 8:1 / /media/stick rw -") == nil)
  }
}
