import TestRandomness

/// The ways in which bytes arrive: whole, byte by byte, in pairs, and in random pieces.
enum Arrival {
  static func ways(of bytes: [UInt8]) -> [[[UInt8]]] {
    let isLong = bytes.count > 2000
    let even = (isLong ? [7, 64] : [1, 2, 3, 7, 64]).map { size in
      stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
    }
    let random = (0..<(isLong ? 2 : 20)).map { seed in
      var randomness = SplitMix64(seed: UInt64(seed))
      var rest = bytes[...]
      var pieces: [[UInt8]] = []
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...20, using: &randomness))
        rest = rest.dropFirst(piece.count)
        pieces.append(Array(piece))
      }
      return pieces
    }
    return [[bytes]] + even + random
  }
}
