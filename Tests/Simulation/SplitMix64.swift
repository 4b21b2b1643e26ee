/// Numbers that come again with the same seed, on every machine.
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

  /// A source of its own, so that more draws in one place do not change what happens in another.
  mutating func fork() -> SplitMix64 { SplitMix64(seed: next()) }

  mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Any time between two, each as likely as another.
  mutating func time(_ shortest: Int64, _ longest: Int64) -> Int64 {
    shortest + Int64(next() % UInt64(max(1, longest - shortest)))
  }

  /// A time between two; each power of two of it as likely as another, so that there are short ones and long ones.
  mutating func length(_ shortest: Int64, _ longest: Int64) -> Int64 {
    var octaves = 0
    while shortest << Int64(octaves + 1) <= longest { octaves += 1 }
    let from = shortest << Int64(below(octaves + 1))
    return time(from, min(from * 2, longest))
  }
}
