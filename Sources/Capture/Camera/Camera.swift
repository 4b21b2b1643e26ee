import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastMediaSources
package import HoldfastPlatform

/// A V4L2 camera; decodes MJPEG. Raw pictures remain in the driver's buffers while referenced.
package final class Camera: VideoSource {
  package let format: VideoFormat
  package let pixelFormat: PixelFormat
  private let stream: V4L2Stream

  /// Opens the camera in the mode nearest to `requested`; reads one MJPEG picture to learn its pixel format.
  package init(path: String, requested: VideoFormat) throws(CaptureError) {
    stream = try V4L2Stream.open(path: path, requested: requested, forCopy: false)
    switch stream.choice.content {
    case .raw(let raw):
      pixelFormat = raw
      format = stream.format
    case .mjpeg:
      let first = try Self.firstPicture(of: stream)
      pixelFormat = first.pixelFormat
      format = VideoFormat(size: first.size, frameRate: stream.frameRate)
    case .h264:
      throw CameraFailure.unsuitable(path, "it delivers only H.264", hint: "choose the encoder copy")
    }
  }

  package var summary: String { stream.summary }

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    switch stream.choice.content {
    case .raw: try runRaw(until: stop, deliver: deliver)
    case .mjpeg, .h264: try runDecoding(until: stop, deliver: deliver)
    }
  }

  private func runRaw(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    let bytesPerLine = max(stream.picture.bytesPerLine, pixelFormat.bytesPerLine(ofWidth: format.size.width))
    try stream.run(until: stop) { picture, lostBefore in
      let frame = try? Frame(
        borrowing: picture.bytes, size: format.size, format: pixelFormat, bytesPerLine: bytesPerLine,
        release: { withExtendedLifetime(picture) {} })
      guard let frame else { return .unusable }
      deliver(CapturedFrame(frame, captureTime: picture.captureTime, lostBefore: lostBefore))
      return .used
    }
  }

  private func runDecoding(
    until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void
  ) throws(CaptureError) {
    var decoder = try Self.decoder(stream.path)
    try stream.run(until: stop) { picture, lostBefore in
      guard let frame = try? decoder.decode(UnsafeRawBufferPointer(picture.bytes)),
        frame.size == format.size, decoder.pixelFormat == pixelFormat
      else { return .unusable }
      deliver(CapturedFrame(frame, captureTime: picture.captureTime, lostBefore: lostBefore))
      return .used
    }
  }

  private static func firstPicture(
    of stream: V4L2Stream
  ) throws(CaptureError) -> (size: PictureSize, pixelFormat: PixelFormat) {
    var decoder = try decoder(stream.path)
    var first: (size: PictureSize, pixelFormat: PixelFormat)?
    try stream.runBriefly { picture in
      guard let frame = try? decoder.decode(UnsafeRawBufferPointer(picture.bytes)),
        let format = decoder.pixelFormat
      else { return false }
      first = (frame.size, format)
      return true
    }
    guard let first else { throw CameraFailure.lost(stream.path, "no picture") }
    return first
  }

  private static func decoder(_ path: String) throws(CaptureError) -> PictureDecoder {
    try mapError(PictureDecoder.mjpeg()) { (error: FFmpegError) in
      CameraFailure.unsuitable(path, "MJPEG can't be decoded: \(error)", hint: "choose another camera")
    }
  }
}

extension PixelFormat {
  fileprivate func bytesPerLine(ofWidth width: Int) -> Int {
    switch self {
    case .yuv420p, .nv12, .yuv422p, .gray: width
    case .yuyv422, .uyvy422: (width + 1) / 2 * 4
    case .rgb24, .bgr24: width * 3
    }
  }
}
