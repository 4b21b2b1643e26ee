/// A seeded random number generator with the same sequence on every machine.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// An independent generator, so that extra draws in one place do not affect another.
  mutating func fork() -> SplitMix64 { SplitMix64(seed: next()) }

  mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func time(_ shortest: Int64, _ longest: Int64) -> Int64 {
    shortest + Int64(next() % UInt64(max(1, longest - shortest)))
  }

  /// A log-uniformly distributed time, so that short and long ones both occur.
  mutating func length(_ shortest: Int64, _ longest: Int64) -> Int64 {
    var octaves = 0
    while shortest << Int64(octaves + 1) <= longest { octaves += 1 }
    let from = shortest << Int64(below(octaves + 1))
    return time(from, min(from * 2, longest))
  }
}
