import HoldfastCVideo4Linux
import HoldfastMediaModel
import HoldfastPlatform

/// A filled driver buffer, returned to the driver (on any thread) after its last reference.
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
    // A damaged buffer's timestamp must not affect the clock.
    captureTime = isWhole ? clock.time(stamp: Self.stamp(of: buffer), arrival: .now) : .now
    index = Int(buffer.index)
    self.stream = stream
  }

  deinit { stream.requeue(index) }

  /// The driver's timestamp; nil if not monotonic or invalid.
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

/// A mapped driver buffer; keeps the device open.
final class V4L2Mapping: @unchecked Sendable {  // a V4L2Picture has the bytes to itself
  let bytes: UnsafeMutableRawBufferPointer
  let isTimed: Bool
  private let device: V4L2Device

  init(_ device: V4L2Device, index: Int) throws(SystemError) {
    var buffer = v4l2_buffer(index: index)
    try device.request("VIDIOC_QUERYBUF", cv4l_VIDIOC_QUERYBUF, &buffer)
    let length = Int(buffer.length)
    guard let start = cv4l_mmap(length, device.descriptor, Int64(buffer.m.offset)) else {
      throw .last("mmap")
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
    isTimed = V4L2Picture.isTimed(buffer)
    self.device = device
  }

  deinit { v4l2_munmap(bytes.baseAddress, bytes.count) }
}

extension v4l2_buffer {
  init(index: Int) {
    self.init()
    self.index = UInt32(index)
    type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    memory = V4L2_MEMORY_MMAP.rawValue
  }
}
