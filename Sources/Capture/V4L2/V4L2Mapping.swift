internal import HoldfastCVideo4Linux
internal import HoldfastPlatform

/// One of the driver's buffers in our memory; unmapped, and then the device let go, with its last holder.
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

  deinit {
    v4l2_munmap(bytes.baseAddress, bytes.count)
  }
}

extension v4l2_buffer {
  init(index: Int) {
    self.init()
    self.index = UInt32(index)
    type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    memory = V4L2_MEMORY_MMAP.rawValue
  }
}
