import HoldfastMediaModel
import TestRandomness

@testable import HoldfastRTMP

/// The ways in which bytes may come: every conversation has to go the same in all of them.
enum Arrival: Hashable, CaseIterable {
  case whole, byteByByte, smallPieces, largePieces

  func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    switch self {
    case .whole: [bytes]
    case .byteByByte: bytes.map { [$0] }
    case .smallPieces: cut(bytes, into: 1...20, seed: 1)
    case .largePieces: cut(bytes, into: 1...4000, seed: 2)
    }
  }

  private func cut(_ bytes: [UInt8], into sizes: ClosedRange<Int>, seed: UInt64) -> [[UInt8]] {
    var randomness = SplitMix64(seed: seed)
    var rest = bytes[...]
    var pieces: [[UInt8]] = []
    while !rest.isEmpty {
      pieces.append(Array(rest.prefix(Int.random(in: sizes, using: &randomness))))
      rest = rest.dropFirst(pieces.last?.count ?? 0)
    }
    return pieces
  }
}

extension SplitMix64 {
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

extension ChunkReader {
  mutating func take(_ bytes: [UInt8], _ arrival: Arrival = .whole) throws(RTMPError) -> [RTMPMessage] {
    var messages: [RTMPMessage] = []
    for piece in arrival.pieces(of: bytes) { messages += try receive(piece.span) }
    return messages
  }
}

extension RTMPClient {
  mutating func take(_ bytes: [UInt8], _ arrival: Arrival = .whole) throws(RTMPError) -> [Event] {
    var events: [Event] = []
    for piece in arrival.pieces(of: bytes) { events += try receive(piece.span) }
    return events
  }

  /// All that waits to be sent, as sent.
  mutating func takeOutgoing() -> [UInt8] { outgoing.takeAll() }
}
