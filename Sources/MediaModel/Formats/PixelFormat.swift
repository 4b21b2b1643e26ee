package enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  case yuv420p, nv12, yuyv422, uyvy422, yuv422p, rgb24, bgr24, gray
}
