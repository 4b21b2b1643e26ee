import HoldfastMediaModel

extension MediaTime {
  /// What is damaged may claim any length.
  mutating func addClamped(_ length: MediaTime) {
    let (sum, isTooLarge) = nanoseconds.addingReportingOverflow(length.nanoseconds)
    nanoseconds = isTooLarge ? .max : sum
  }
}
