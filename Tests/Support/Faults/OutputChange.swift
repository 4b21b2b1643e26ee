public import MediaModel

/// What a publisher said of one of its outputs.
public struct OutputChange: Hashable, Sendable {
  public let at: MonotonicTime
  /// As in the event lines: `publishing`, `stalled`, `waiting`…
  public let state: String
  public let cause: String?
}
