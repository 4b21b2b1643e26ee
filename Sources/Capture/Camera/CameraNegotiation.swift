package import HoldfastMediaModel

/// Chooses the camera mode nearest to the requested format.
///
/// Ranks by size, then rate, then conversion cost: MJPEG at the full rate is better than raw at a tenth.
package enum CameraNegotiation {
  package static func choose(
    from formats: [CameraFormat], requested: VideoFormat, forCopy: Bool = false
  ) throws(CameraRefusal) -> CameraChoice {
    let candidates = formats.flatMap { format -> [Candidate] in
      guard let content = content(of: format.code), (content == .h264) == forCopy else { return [] }
      return format.sizes.map { Candidate(format, content, $0, requested: requested) }
    }
    guard let best = candidates.min(by: Candidate.isBetter) else {
      let offered = formats.map(\.code)
      throw forCopy ? .nothingToCopy(offered: offered) : .nothingReadable(offered: offered)
    }
    let cheaper = candidates.filter { $0.cost < best.cost }.min(by: Candidate.isBetter)
    return CameraChoice(
      code: best.code, content: best.content, format: best.format,
      reason: best.reason(requested: requested, insteadOf: cheaper))
  }

  static func content(of code: V4L2FourCC) -> CameraChoice.Content? {
    switch code {
    case .h264: .h264
    case .mjpeg, .jpeg: .mjpeg
    default: PixelFormat.allCases.first { $0.fourCC == code }.map { .raw($0) }
    }
  }
}

extension PixelFormat {
  var fourCC: V4L2FourCC {
    switch self {
    case .yuv420p: V4L2FourCC("YU12")
    case .nv12: V4L2FourCC("NV12")
    case .yuyv422: V4L2FourCC("YUYV")
    case .uyvy422: V4L2FourCC("UYVY")
    case .yuv422p: V4L2FourCC("422P")
    case .rgb24: V4L2FourCC("RGB3")
    case .bgr24: V4L2FourCC("BGR3")
    case .gray: V4L2FourCC("GREY")
    }
  }
}

/// A mode with its best size and rate.
private struct Candidate {
  let code: V4L2FourCC
  let content: CameraChoice.Content
  let isEmulated: Bool
  let size: CameraSizeFit
  let rate: CameraRateFit

  init(_ format: CameraFormat, _ content: CameraChoice.Content, _ sizes: CameraSizes, requested: VideoFormat)
  {
    code = format.code
    self.content = content
    isEmulated = format.isEmulated
    size = CameraSizeFit(sizes.extent, requested: requested.size)
    rate = CameraRateFit(sizes.rates, requested: requested.frameRate)
  }

  var format: VideoFormat { VideoFormat(size: size.size, frameRate: rate.rate) }

  static func isBetter(_ left: Candidate, than right: Candidate) -> Bool {
    left.rank.lexicographicallyPrecedes(right.rank)
  }

  private var rank: [Int] { [content == .raw(.gray) ? 1 : 0] + size.rank + rate.rank + [cost] }

  var cost: Int {
    if isEmulated { return 4 }
    return switch content {
    case .h264, .raw(.yuv420p), .raw(.nv12): 0
    case .raw(.yuyv422), .raw(.uyvy422), .raw(.yuv422p): 1
    case .mjpeg: 2
    case .raw(.rgb24), .raw(.bgr24), .raw(.gray): 3
    }
  }

  func reason(requested: VideoFormat, insteadOf cheaper: Candidate?) -> String {
    let fit =
      size.kind == .exact && rate.kind == .exact
      ? "exact size and rate" : "\(size.description), \(rate.description)"
    var text = "\(name) \(format): \(nature), \(fit)"
    if format != requested { text += "; requested \(requested)" }
    if let cheaper { text += " (\(cheaper.name) offers only \(cheaper.format))" }
    return text
  }

  private var name: String {
    switch content {
    case .raw: code.description
    case .mjpeg: "MJPEG"
    case .h264: "H.264"
    }
  }

  private var nature: String {
    if isEmulated { return "converted by libv4l2" }
    return switch content {
    case .raw(.gray): "raw, grayscale"
    case .raw: "raw"
    case .mjpeg: "decoded here"
    case .h264: "encoded by the camera"
    }
  }
}

package struct CameraChoice: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case raw(PixelFormat)
    case mjpeg
    case h264
  }

  package let code: V4L2FourCC
  package let content: Content
  package let format: VideoFormat
  /// The chosen mode, the reason and the request, as text.
  package let reason: String
}

package enum CameraRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  case nothingReadable(offered: [V4L2FourCC])
  /// The camera does not encode H.264.
  case nothingToCopy(offered: [V4L2FourCC])

  package var description: String {
    switch self {
    case .nothingReadable(let offered): "none of its formats is supported: \(Self.list(offered))"
    case .nothingToCopy(let offered): "it has no H.264 encoder, only \(Self.list(offered))"
    }
  }

  var hint: String {
    switch self {
    case .nothingReadable: "choose another camera"
    case .nothingToCopy: "choose another encoder than copy"
    }
  }

  private static func list(_ codes: [V4L2FourCC]) -> String {
    codes.isEmpty ? "nothing" : codes.map(\.description).joined(separator: ", ")
  }
}
