import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A file system on a disk whose every write is logged.
final class LoggedDisk {
  let folder = ScratchFolder()
  let system: FileSystem
  private let server: RunningTool
  private let device: String
  private var sizes: [(at: MonotonicTime, size: Int)] = []
  private let samples = Locked<[(at: MonotonicTime, size: Int)]>([])
  private let sampler: RepeatingThread

  enum FileSystem: String, CaseIterable {
    case ext4, xfs, btrfs

    var tool: String { "mkfs.\(rawValue)" }

    /// The copies of a disk have one identity.
    var mountOptions: String { self == .xfs ? "loop,nouuid" : "loop" }

    /// Cuts tried at the same time: a start mostly waits for its first pictures. btrfs takes copies for one disk.
    var width: Int { self == .btrfs ? 1 : 3 }

    var force: String { self == .ext4 ? "-F" : "-f" }
  }

  static let size = 320 << 20

  var mountPoint: String { folder.file("mount") }
  var log: String { folder.file("log") }

  init(_ system: FileSystem) throws {
    self.system = system
    let (disk, log, export) = (folder.file("disk"), folder.file("log"), folder.file("export"))
    for name in ["disk", "log", "export"] { _ = try folder.write("", to: name) }
    try Tool.run(["truncate", "-s", "\(Self.size)", disk])
    server = try RunningTool([
      "qemu-storage-daemon", "--blockdev", "driver=file,node-name=disk,filename=\(disk)", "--blockdev",
      "driver=file,node-name=log,filename=\(log)", "--blockdev",
      "driver=blklogwrites,node-name=logged,file=disk,log=log,log-sector-size=\(BlockLog.sector)", "--export",
      "type=fuse,id=export,node-name=logged,mountpoint=\(export),writable=on",
    ])
    guard eventually(within: 20, { fileSize(export) == Self.size }) else {
      throw TestFailure("qemu-storage-daemon serves no disk")
    }
    device = try Tool.run(["losetup", "--find", "--show", export]).trimmingCharacters(
      in: .whitespacesAndNewlines)
    try Tool.run([system.tool, "-q", system.force, device])
    let mountPoint = folder.file("mount")
    try FileManager.default.createDirectory(atPath: mountPoint, withIntermediateDirectories: true)
    try Tool.run(["mount", device, mountPoint])
    sampler = RepeatingThread(every: 1000) { [samples] in
      let size = fileSize(log)
      samples.withLock { if $0.last?.size != size { $0.append((.now, size)) } }
    }
  }

  /// Unmounts the disk and ends its server; the log is complete then.
  func finish() throws {
    sampler.finish()
    sizes = samples.withLock { $0 }
    _ = try? Tool.run(["umount", mountPoint])
    _ = try? Tool.run(["losetup", "--detach", device])
    server.signal(SIGTERM)
    server.result()
  }

  /// When the log had grown to `size`.
  func time(of size: Int) -> MonotonicTime? { sizes.first { $0.size >= size }?.at }
}
