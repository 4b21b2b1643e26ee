import Foundation
import TestRandomness

/// Damages a recording as a bad disk, a bad copy or an attacker would: always the same for the same seed.
struct RecordingMutation {
  private var random: SplitMix64
  private(set) var bytes: [UInt8]

  static func mutated(_ original: [UInt8], seed: UInt64) -> [UInt8] {
    var mutation = RecordingMutation(random: SplitMix64(seed: seed), bytes: original)
    for _ in 0...mutation.below(3) { mutation.mutate() }
    return mutation.bytes
  }

  private static let boxes = [
    "ftyp", "moov", "mvhd", "trak", "tkhd", "mdhd", "hdlr", "stbl", "stsd", "stts", "stsz", "mvex", "trex",
    "avc1", "avcC", "hvc1", "hvcC", "av01", "av1C", "mp4a", "esds", "Opus", "dOps", "free", "sidx", "moof",
    "mfhd", "traf", "tfhd", "tfdt", "trun", "mdat", "mfra", "tfra", "mfro",
  ].map { Array($0.utf8) }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

  private mutating func range(atMost length: Int) -> Range<Int> {
    let start = below(bytes.count)
    return start..<min(bytes.count, start + 1 + below(length))
  }

  private mutating func mutate() {
    guard bytes.count > 64 else { return }
    switch below(10) {
    case 0: flip(at: below(bytes.count))
    case 1, 2: if let place = placeInBox() { flip(at: place) }
    case 3, 4, 5: if let place = placeInBox() { replaceNumber(at: place) }
    case 6: bytes.removeLast(below(bytes.count))
    case 7: bytes.removeSubrange(range(atMost: 8192))
    case 8: moveRange()
    default: for index in range(atMost: 8192) { bytes[index] = 0 }
    }
  }

  private mutating func flip(at place: Int) { bytes[place] ^= 1 << UInt8(below(8)) }

  /// Copies a range to another place, over what is there or before it.
  private mutating func moveRange() {
    let copied = Array(bytes[range(atMost: 16384)])
    let place = below(bytes.count)
    if below(2) == 0 {
      bytes.insert(contentsOf: copied, at: place)
    } else {
      bytes.replaceSubrange(place..<min(bytes.count, place + copied.count), with: copied)
    }
  }

  /// A byte near the beginning of a box, at a multiple of four from it.
  private mutating func placeInBox() -> Int? {
    let type = Self.boxes[below(Self.boxes.count)]
    let start = below(bytes.count)
    let found = place(of: type, in: start..<bytes.count) ?? place(of: type, in: 0..<start)
    let place = (found ?? 0) - 4 + 4 * below(8)
    return found == nil || place < 0 || place + 4 > bytes.count ? nil : place
  }

  private func place(of type: [UInt8], in range: Range<Int>) -> Int? {
    Data(bytes[range]).range(of: Data(type))?.lowerBound.advanced(by: range.lowerBound)
  }

  /// Puts a number into four bytes that is likely to be a special case.
  private mutating func replaceNumber(at place: Int) {
    let old = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let numbers: [UInt32] = [
      0, 1, 7, 8, 9, 16, .max, 1 << 31, (1 << 31) - 1, 65_000, 1 << 24, UInt32(bytes.count), old &+ 1,
      old &- 1, old &* 2, old / 2, UInt32(truncatingIfNeeded: random.next()),
      old &+ UInt32(below(1 << 20)),
    ]
    let new = numbers[below(numbers.count)]
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: new >> UInt32(24 - 8 * index)) }
  }
}
