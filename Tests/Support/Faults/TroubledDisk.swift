internal import Foundation
internal import Glibc
package import HoldfastMediaModel
internal import HoldfastPlatform

/// A folder on a disk that misbehaves for one program as a test wants it to: Tests/Peers/Programs/troubled-disk.c.
///
/// The program is given `environment`. It can be told something else at any time; nothing else sees any of it.
package final class TroubledDisk: Sendable {
  package struct Calls: OptionSet, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    package static let write = Calls(rawValue: 1)
    package static let sync = Calls(rawValue: 2)
    /// Only for writing.
    package static let open = Calls(rawValue: 4)
    package static let truncate = Calls(rawValue: 8)
    package static let allocate = Calls(rawValue: 16)
    package static let measure = Calls(rawValue: 32)
    /// Names that are given and taken away.
    package static let name = Calls(rawValue: 64)

    package static let changing: Calls = [.write, .sync, .open, .truncate, .allocate]
    package static let all: Calls = [.changing, .measure, .name]
  }

  package struct Status: Hashable, Sendable {
    /// Calls that hang now.
    package let held: Int
    /// Calls that were made to fail.
    package let failed: Int
    package let bytesWritten: Int
    package let synced: Int
    /// Programs that were met.
    package let programs: Int
  }

  private enum Trouble: Int64 {
    case none, fail, stall, slow
  }

  private let control: FileHandle
  private let controlPath: String
  private let library: String
  private let folder: String

  /// `folder` is there already.
  package init(folder: String, in scratch: ScratchFolder) throws {
    self.folder = folder
    library = try preloadLibrary("troubled-disk")
    controlPath = scratch.file("troubled-disk")
    try Data(count: 4096).write(to: URL(fileURLWithPath: controlPath))
    control = try FileHandle(forUpdating: URL(fileURLWithPath: controlPath))
    heal()
    setFree(nil)
  }

  /// What the program under test has to be given, besides what it is given anyway.
  package func environment(beside others: [String: String] = [:]) -> [String: String] {
    let libraries = [others["LD_PRELOAD"], library].compactMap(\.self).joined(separator: ":")
    let ours = ["LD_PRELOAD": libraries, "TROUBLED_DISK": controlPath, "TROUBLED_DISK_FOLDER": folder]
    return others.merging(ours) { $1 }
  }

  /// These calls hang until the disk is told something else, or for so long.
  package func stall(_ calls: Calls = .changing, for time: MediaTime? = nil) {
    set(.stall, calls, time.map { (MonotonicTime.now + $0).nanoseconds / 1_000_000 } ?? 0)
  }

  /// These calls fail with an error: writes once `room` bytes more have gone in.
  package func fail(_ code: Int32, _ calls: Calls = .changing, afterBytes room: Int = 0) {
    write(Int64(room), at: 2)
    set(.fail, calls, Int64(code))
  }

  /// Writes find no room once `room` bytes more have gone in. A file can still be opened, cut and synchronized.
  package func fill(afterBytes room: Int = 0) {
    fail(ENOSPC, [.write, .allocate], afterBytes: room)
  }

  package func slow(bytesPerSecond rate: Int) {
    set(.slow, .write, Int64(rate))
  }

  /// So many bytes are claimed to be free; what is so again with nil.
  package func setFree(_ bytes: Int?) {
    write(bytes.map(Int64.init) ?? -1, at: 1)
  }

  /// All is as it should be; what hangs goes on.
  package func heal() {
    set(.none, [], 0)
  }

  package var status: Status {
    Status(
      held: read(3), failed: read(4), bytesWritten: read(5), synced: read(6), programs: read(7))
  }

  package func wait(until condition: (Status) -> Bool) -> Bool {
    eventually(every: 1000) { condition(status) }
  }

  private func set(_ trouble: Trouble, _ calls: Calls, _ number: Int64) {
    write(number << 16 | calls.rawValue << 8 | trouble.rawValue, at: 0)
  }

  /// Eight bytes at once: whoever has the file in its memory sees the old or the new.
  private func write(_ value: Int64, at place: Int) {
    var value = value
    pwrite(control.fileDescriptor, &value, 8, off_t(place * 8))
  }

  private func read(_ place: Int) -> Int {
    var value: Int64 = 0
    pread(control.fileDescriptor, &value, 8, off_t(place * 8))
    return Int(value)
  }
}
