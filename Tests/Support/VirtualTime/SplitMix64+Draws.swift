package import TestRandomness

extension SplitMix64 {
  /// An independent generator, so that extra draws in one place do not affect another.
  package mutating func fork() -> SplitMix64 { SplitMix64(seed: next()) }

  package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  package mutating func time(_ shortest: Int64, _ longest: Int64) -> Int64 {
    shortest + Int64(next() % UInt64(max(1, longest - shortest)))
  }

  /// A log-uniformly distributed time, so that short and long ones both occur.
  package mutating func length(_ shortest: Int64, _ longest: Int64) -> Int64 {
    var octaves = 0
    while shortest << Int64(octaves + 1) <= longest { octaves += 1 }
    let from = shortest << Int64(below(octaves + 1))
    return time(from, min(from * 2, longest))
  }
}
