import Foundation
import TestRandomness
import TestSupport

/// The writes of a disk in their order, as qemu's `blklogwrites` keeps them.
struct BlockLog {
  struct Entry {
    let offset: Int
    /// Where its data is in the log.
    let data: Range<Int>
    let isFlush: Bool
    /// It is durable once it has been written.
    let isForced: Bool
  }

  static let sector = 512

  private(set) var entries: [Entry] = []
  private let bytes: Data

  init(path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    func number(_ offset: Int) -> Int {
      Int(truncatingIfNeeded: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) })
    }
    guard bytes.count >= Self.sector else { throw TestFailure("\(path) is no block log") }
    var place = Self.sector
    for _ in 0..<number(16) where place + Self.sector <= bytes.count {
      let (sector, count, flags) = (number(place), number(place + 8), number(place + 16))
      let isDiscard = flags & 4 != 0
      let start = place + Self.sector
      let end = start + (isDiscard ? 0 : count * Self.sector)
      guard end <= bytes.count else { break }
      entries.append(
        Entry(
          offset: sector * Self.sector, data: start..<end, isFlush: flags & 1 != 0, isForced: flags & 2 != 0))
      place = end
    }
    guard !entries.isEmpty else { throw TestFailure("\(path) has no entries") }
    self.bytes = bytes
  }

  /// What a power cut leaves of the writes since the last flush.
  enum Fate: CaseIterable {
    case all, none
    /// Each is there, or not, or some of its sectors are.
    case chance
  }

  /// Writes what is durable of `range` to `image`.
  func write(_ range: Range<Int>, to image: FileHandle) throws {
    for entry in entries[range] { try write(entry.data, of: entry, to: image) }
  }

  /// Writes what may be left of the entries since the last flush.
  func tear(_ range: Range<Int>, _ fate: Fate, to image: FileHandle, using random: inout SplitMix64) throws {
    for entry in entries[range] where !entry.data.isEmpty {
      guard !entry.isForced, fate != .all else {
        try write(entry.data, of: entry, to: image)
        continue
      }
      guard fate == .chance else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: break
      case 1:
        for start in stride(from: entry.data.lowerBound, to: entry.data.upperBound, by: Self.sector)
        where Bool.random(using: &random) {
          try write(start..<start + Self.sector, of: entry, to: image)
        }
      default: try write(entry.data, of: entry, to: image)
      }
    }
  }

  private func write(_ data: Range<Int>, of entry: Entry, to image: FileHandle) throws {
    guard !data.isEmpty else { return }
    try image.seek(toOffset: UInt64(entry.offset + data.lowerBound - entry.data.lowerBound))
    try image.write(contentsOf: bytes[data])
  }
}
