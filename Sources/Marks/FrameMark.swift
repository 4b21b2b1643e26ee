public import MediaModel

/// What a frame of the test picture says of itself.
public struct FrameMark: Hashable, Sendable {
  public let number: UInt32
  public let captureTime: MonotonicTime

  public init(number: UInt32, captureTime: MonotonicTime) {
    self.number = number
    self.captureTime = captureTime
  }
}
