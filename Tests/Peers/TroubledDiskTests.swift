import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct TroubledDiskTests {
  private let scratch = ScratchFolder()
  private let folder: String
  private let disk: TroubledDisk

  init() throws {
    folder = scratch.file("disk")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    disk = try TroubledDisk(folder: folder, in: scratch)
  }

  /// The result or error of each of `calls`, which Python evaluates with an open file.
  private func outcome(
    of calls: [String], in folder: String? = nil, isReadOnly: Bool = false
  ) throws -> [String] {
    let script = """
      import os, sys
      os.chdir(sys.argv[1])
      fd = os.open('file', \(isReadOnly ? "os.O_RDONLY" : "os.O_RDWR | os.O_CREAT"))
      \(isReadOnly ? "" : "open('third', 'a').close()")
      for call in sys.argv[2:]:
        try: print(eval(call), flush=True)
        except OSError as error: print('error', error.errno, flush=True)
      """
    return try Tool.run(
      ["python3", "-c", script, folder ?? self.folder] + calls, environment: disk.environment()
    ).split(separator: "\n").map(String.init)
  }

  private static let calls: [(call: String, kind: TroubledDisk.Calls)] = [
    ("os.write(fd, b'12345')", .write), ("os.pwrite(fd, b'12345', 3)", .write),
    ("os.writev(fd, [b'12', b'345'])", .write), ("os.pwritev(fd, [b'12', b'345'], 3)", .write),
    ("os.fsync(fd)", .sync), ("os.fdatasync(fd)", .sync), ("os.ftruncate(fd, 3)", .truncate),
    ("os.posix_fallocate(fd, 0, 10)", .allocate), ("os.open('other', os.O_WRONLY | os.O_CREAT)", .open),
    ("os.open(os.getcwd() + '/other', os.O_RDWR | os.O_CREAT)", .open), ("os.statvfs('.').f_bsize", .measure),
    ("os.statvfs(fd).f_bsize", .measure), ("os.rename('file', 'third')", .name),
    ("os.link('third', 'fourth')", .name), ("os.unlink('third')", .name), ("os.mkdir('folder')", .name),
  ]

  @Test func `each call succeeds on a good disk and is counted`() throws {
    #expect(!(try outcome(of: Self.calls.map(\.call)).contains { $0.hasPrefix("error") }))
    #expect((disk.status.bytesWritten, disk.status.synced, disk.status.failed) == (20, 2, 0))
  }

  @Test(arguments: calls.filter { $0.kind != .open })
  func `each call fails with its kind`(call: String, kind: TroubledDisk.Calls) throws {
    disk.fail(EIO, kind)
    #expect(try outcome(of: [call]) == ["error 5"])
    #expect(disk.status.failed == 1)
  }

  @Test(arguments: calls.filter { $0.kind != .open })
  func `each call succeeds while all others fail`(call: String, kind: TroubledDisk.Calls) throws {
    disk.fail(EIO, TroubledDisk.Calls.all.subtracting([kind, .open]))
    #expect(!(try outcome(of: [call]).contains { $0.hasPrefix("error") }))
  }

  @Test func `opening a file can fail, except for reading`() throws {
    let calls = Self.calls.filter { $0.kind == .open }.map(\.call)
    _ = try outcome(of: [])
    disk.fail(EROFS, .open)
    #expect(try outcome(of: ["fd > 0"] + calls, isReadOnly: true) == ["True", "error 30", "error 30"])
  }

  @Test func `faults affect only the disk's folder, also when reached through a link`() throws {
    disk.fail(EIO, .all)
    let calls = ["os.write(fd, b'x')", "os.statvfs('.').f_bsize > 0"]
    #expect(try outcome(of: calls, in: scratch.path) == ["1", "True"])
    disk.heal()
    let link = scratch.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    disk.fail(EIO, .write)
    #expect(try outcome(of: ["os.write(fd, b'x')"], in: link) == ["error 5"])
    #expect(try outcome(of: ["os.write(fd, b'x')"], in: scratch.path) == ["1"])
  }

  @Test func `a full disk accepts what still fits`() throws {
    disk.fill(afterBytes: 12)
    let results = try outcome(of: [
      "os.write(fd, b'12345')", "os.pwritev(fd, [b'123', b'45'], 5)", "os.writev(fd, [b'1', b'2345'])",
      "os.write(fd, b'1')", "os.fsync(fd)", "os.ftruncate(fd, 1)",
    ])
    #expect(results == ["5", "5", "2", "error 28", "None", "None"])
    #expect(disk.status.bytesWritten == 12)
  }

  @Test func `blocked calls continue when the disk is healed`() async throws {
    disk.stall([.write])
    async let results = outcome(of: ["os.write(fd, b'12345')"])
    #expect(disk.wait { $0.held == 1 })
    #expect(disk.status.bytesWritten == 0)
    disk.heal()
    #expect(try await results == ["5"])
    #expect(disk.status.held == 0)
  }

  @Test func `blocked calls can fail later`() async throws {
    disk.stall([.sync])
    async let results = outcome(of: ["os.fsync(fd)", "os.write(fd, b'1')"])
    #expect(disk.wait { $0.held == 1 })
    disk.fail(EIO, [.sync])
    #expect(try await results == ["error 5", "1"])
  }

  @Test func `calls can be blocked for a time`() throws {
    disk.stall([.write], for: .seconds(2))
    // Python's start takes part of the time.
    let results = try outcome(of: [
      "[t := __import__('time').monotonic(), os.write(fd, b'1'), __import__('time').monotonic() - t > 0.1][1:]"
    ])
    #expect(results == ["[1, True]"] && disk.status.held == 0, "\(results)")
  }

  @Test func `a slow disk limits the rate`() throws {
    disk.slow(bytesPerSecond: 100_000)
    let results = try outcome(of: [
      "[t := __import__('time').monotonic(), os.write(fd, b'x' * 20000), __import__('time').monotonic() - t > 0.2][1:]"
    ])
    #expect(results == ["[20000, True]"])
  }

  @Test(arguments: [0, 1, 123_456_789, 5 << 40])
  func `a disk's free space can be set`(bytes: Int) throws {
    disk.setFree(bytes)
    let calls = ["s.f_bavail * s.f_frsize for s in [os.statvfs('.'), os.statvfs(fd)]"].map { "[\($0)]" }
    #expect(try outcome(of: calls) == ["[\(bytes), \(bytes)]"])
    disk.setFree(nil)
    #expect(try outcome(of: ["os.statvfs('.').f_bsize > 1"]) == ["True"])
  }

  @Test func `another preloaded library is kept`() {
    #expect(
      disk.environment(beside: ["LD_PRELOAD": "a.so", "B": "c"])["LD_PRELOAD"]?.hasPrefix("a.so:/") == true)
    #expect(disk.environment(beside: ["B": "c"])["B"] == "c")
  }
}
