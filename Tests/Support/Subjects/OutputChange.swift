package import HoldfastMediaModel

/// What a publisher said of one of its outputs.
package struct OutputChange: Hashable, Sendable {
  package let at: MonotonicTime
  /// As in the event lines: `publishing`, `stalled`, `waiting`…
  package let state: String
  package let cause: String?
}
