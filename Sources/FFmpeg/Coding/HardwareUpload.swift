import HoldfastCFFmpeg
import HoldfastMediaModel

/// Uploads pictures from main memory to a VA-API device.
struct HardwareUpload: ~Copyable {
  private let frames: UnsafeMutablePointer<AVBufferRef>

  init(size: PictureSize) throws(FFmpegError) {
    var device: UnsafeMutablePointer<AVBufferRef>?
    try check(av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0), "VA-API device")
    defer { av_buffer_unref(&device) }
    guard let frames = av_hwframe_ctx_alloc(device) else { throw .outOfMemory("av_hwframe_ctx_alloc") }
    if let memory = UnsafeMutableRawPointer(frames.pointee.data) {
      let context = memory.assumingMemoryBound(to: AVHWFramesContext.self)
      context.pointee.format = AV_PIX_FMT_VAAPI
      context.pointee.sw_format = AV_PIX_FMT_NV12
      context.pointee.width = Int32(size.width)
      context.pointee.height = Int32(size.height)
      context.pointee.initial_pool_size = 8
    }
    let status = av_hwframe_ctx_init(frames)
    guard status >= 0 else {
      release(frames, av_buffer_unref)
      throw FFmpegError(operation: "av_hwframe_ctx_init", code: status)
    }
    self.frames = frames
  }

  deinit { release(frames, av_buffer_unref) }

  func attach(to encoder: UnsafeMutablePointer<AVCodecContext>) {
    encoder.pointee.pix_fmt = AV_PIX_FMT_VAAPI
    encoder.pointee.hw_frames_ctx = av_buffer_ref(frames)
  }

  func upload(_ frame: borrowing Frame) throws(FFmpegError) -> Frame {
    let result = try Frame()
    try check(av_hwframe_get_buffer(frames, result.raw, 0), "av_hwframe_get_buffer")
    try check(av_hwframe_transfer_data(result.raw, frame.raw, 0), "av_hwframe_transfer_data")
    return result
  }
}
