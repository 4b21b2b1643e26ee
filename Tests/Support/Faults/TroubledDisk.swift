import Foundation
import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// A folder on a disk that fails on command, for one program only: Tests/Peers/Programs/troubled-disk.c.
///
/// The program must run with `environment`; the behavior can be changed at any time.
package final class TroubledDisk: Sendable {
  package struct Calls: OptionSet, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let write = Calls(rawValue: 1)
    package static let sync = Calls(rawValue: 2)
    package static let open = Calls(rawValue: 4)
    package static let truncate = Calls(rawValue: 8)
    package static let allocate = Calls(rawValue: 16)
    package static let measure = Calls(rawValue: 32)
    package static let name = Calls(rawValue: 64)

    package static let changing: Calls = [.write, .sync, .open, .truncate, .allocate]
    package static let all: Calls = [.changing, .measure, .name]
  }

  package struct Status: Hashable, Sendable {
    package let held: Int
    package let failed: Int
    package let bytesWritten: Int
    package let synced: Int
    /// Programs that have loaded the library.
    package let programs: Int
  }

  private enum Trouble: Int64 { case none, fail, stall, slow }

  private let control: FileHandle
  private let controlPath: String
  private let library: String
  private let folder: String

  package init(folder: String, in scratch: ScratchFolder) throws {
    self.folder = folder
    library = try preloadLibrary("troubled-disk")
    controlPath = scratch.file("troubled-disk")
    try Data(count: 4096).write(to: URL(fileURLWithPath: controlPath))
    control = try FileHandle(forUpdating: URL(fileURLWithPath: controlPath))
    heal()
    setFree(nil)
  }

  /// The environment of the program under test: `others` plus the preload settings.
  package func environment(beside others: [String: String] = [:]) -> [String: String] {
    let libraries = [others["LD_PRELOAD"], library].compactMap(\.self).joined(separator: ":")
    let ours = ["LD_PRELOAD": libraries, "TROUBLED_DISK": controlPath, "TROUBLED_DISK_FOLDER": folder]
    return others.merging(ours) { $1 }
  }

  /// Blocks `calls` for `time`, or until the next change.
  package func stall(_ calls: Calls = .changing, for time: MediaTime? = nil) {
    set(.stall, calls, time.map { (MonotonicTime.now + $0).nanoseconds / 1_000_000 } ?? 0)
  }

  /// Fails `calls` with an error; writes fail after `room` more bytes.
  package func fail(_ code: Int32, _ calls: Calls = .changing, afterBytes room: Int = 0) {
    write(Int64(room), at: 2)
    set(.fail, calls, Int64(code))
  }

  /// Simulates a full disk after `room` more bytes; opening, truncating and synchronizing still succeed.
  package func fill(afterBytes room: Int = 0) { fail(ENOSPC, [.write, .allocate], afterBytes: room) }

  package func slow(bytesPerSecond rate: Int) { set(.slow, .write, Int64(rate)) }

  /// Sets the reported number of free bytes; nil for the true one.
  package func setFree(_ bytes: Int?) { write(bytes.map(Int64.init) ?? -1, at: 1) }

  /// Removes all faults; blocked calls continue.
  package func heal() { set(.none, [], 0) }

  package var status: Status {
    Status(held: read(3), failed: read(4), bytesWritten: read(5), synced: read(6), programs: read(7))
  }

  package func wait(until condition: (Status) -> Bool) -> Bool {
    eventually(every: 1000) { condition(status) }
  }

  private func set(_ trouble: Trouble, _ calls: Calls, _ number: Int64) {
    write(number << 16 | calls.rawValue << 8 | trouble.rawValue, at: 0)
  }

  /// Writes eight bytes at once, so that a reader of the mapped file sees the old or the new value.
  private func write(_ value: Int64, at place: Int) {
    var value = value
    _ = pwrite(control.fileDescriptor, &value, 8, off_t(place * 8))
  }

  private func read(_ place: Int) -> Int {
    var value: Int64 = 0
    _ = pread(control.fileDescriptor, &value, 8, off_t(place * 8))
    return Int(value)
  }
}
