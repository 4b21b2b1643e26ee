internal import HoldfastMediaModel

/// Instants and lengths of the world's own time, that of no clock in it.
extension Int64 {
  static func ms(_ count: Int64) -> Int64 { count * 1_000_000 }
  static func s(_ count: Int64) -> Int64 { count * 1_000_000_000 }
  static func minutes(_ count: Int64) -> Int64 { .s(count * 60) }
  static func hours(_ count: Int64) -> Int64 { .s(count * 3600) }

  /// As it stands in logs.
  var shown: String { MediaTime(nanoseconds: self).description }
}
