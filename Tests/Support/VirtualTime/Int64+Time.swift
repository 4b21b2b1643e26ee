import HoldfastMediaModel

/// Times and durations of a simulated world in nanoseconds, independent of the clocks in it.
extension Int64 {
  package static func ms(_ count: Int64) -> Int64 { count * 1_000_000 }
  package static func s(_ count: Int64) -> Int64 { count * 1_000_000_000 }
  package static func minutes(_ count: Int64) -> Int64 { .s(count * 60) }
  package static func hours(_ count: Int64) -> Int64 { .s(count * 3600) }

  package var shown: String { MediaTime(nanoseconds: self).description }
}
