internal import HoldfastCVideo4Linux
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// One filled buffer of the driver's. It goes back when its last holder has gone, from whichever thread that was.
final class V4L2Picture: @unchecked Sendable {  // the bytes are the holder's until `deinit` gives them back
  let bytes: UnsafeMutableRawBufferPointer
  let captureTime: MonotonicTime
  let sequence: UInt32
  let isWhole: Bool
  private let index: Int
  private let stream: V4L2Stream

  init(
    _ buffer: v4l2_buffer, in memory: UnsafeMutableRawBufferPointer, of stream: V4L2Stream,
    _ clock: inout CameraClock
  ) {
    bytes = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(Int(buffer.bytesused)))
    sequence = buffer.sequence
    isWhole = buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 && !bytes.isEmpty
    // What a broken one is stamped with says nothing of the driver's clock.
    captureTime = isWhole ? clock.time(stamp: Self.stamp(of: buffer), arrival: .now) : .now
    index = Int(buffer.index)
    self.stream = stream
  }

  deinit {
    stream.giveBack(index)
  }

  /// The driver's own time, where it says that it is of our clock and the numbers are an instant at all.
  private static func stamp(of buffer: v4l2_buffer) -> MonotonicTime? {
    let time = buffer.timestamp
    guard isTimed(buffer), (0...Int(Int32.max)).contains(time.tv_sec), (0..<1_000_000).contains(time.tv_usec)
    else { return nil }
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000)
  }

  static func isTimed(_ buffer: v4l2_buffer) -> Bool {
    buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
  }
}
