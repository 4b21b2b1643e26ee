package import HoldfastMediaModel

extension MonotonicTime {
  init(seconds: Double) { self.init(nanoseconds: Int64(seconds * 1e9)) }

  package var seconds: Double { Double(nanoseconds) / 1e9 }
}
