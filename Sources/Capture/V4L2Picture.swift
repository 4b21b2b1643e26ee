internal import CVideo4Linux
internal import MediaModel
internal import Platform

/// One filled buffer of the driver's. It goes back when its last holder has gone, from whichever thread that was.
final class V4L2Picture: @unchecked Sendable {  // the bytes are the holder's until `deinit` gives them back
  let bytes: UnsafeMutableRawBufferPointer
  let captureTime: MonotonicTime
  let sequence: UInt32
  let isWhole: Bool
  private let index: Int
  private let stream: V4L2Stream

  init(_ buffer: v4l2_buffer, in memory: UnsafeMutableRawBufferPointer, of stream: V4L2Stream) {
    bytes = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(Int(buffer.bytesused)))
    captureTime = Self.time(of: buffer)
    sequence = buffer.sequence
    isWhole = buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 && !bytes.isEmpty
    index = Int(buffer.index)
    self.stream = stream
  }

  deinit {
    stream.giveBack(index)
  }

  /// The driver's own time where it is of our clock, else now.
  private static func time(of buffer: v4l2_buffer) -> MonotonicTime {
    guard isTimed(buffer) else { return .now }
    let time = buffer.timestamp
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000)
  }

  static func isTimed(_ buffer: v4l2_buffer) -> Bool {
    buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
  }
}
