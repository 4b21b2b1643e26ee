import HoldfastCVideo4Linux
import HoldfastMediaModel
import HoldfastPlatform

extension V4L2Device {
  /// More entries than any driver lists.
  private static let maxListLength: UInt32 = 256
  private static let maxSide: UInt32 = 32768

  /// All formats of the device. In a range of sizes, the rates are those of the nearest size.
  func formats(for requested: PictureSize) throws(SystemError) -> [CameraFormat] {
    var formats: [CameraFormat] = []
    try list { (index) throws(SystemError) in
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      try request("VIDIOC_ENUM_FMT", cv4l_VIDIOC_ENUM_FMT, &entry)
      let code = V4L2FourCC(code: entry.pixelformat)
      formats.append(
        CameraFormat(
          code: code, isEmulated: entry.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0,
          sizes: try sizes(of: code, for: requested)))
      return true
    }
    return formats
  }

  private func sizes(of code: V4L2FourCC, for requested: PictureSize) throws(SystemError) -> [CameraSizes] {
    var extents: [CameraSizes.Extent] = []
    try list { (index) throws(SystemError) in
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = code.code
      try request("VIDIOC_ENUM_FRAMESIZES", cv4l_VIDIOC_ENUM_FRAMESIZES, &entry)
      guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        if let range = Self.range(entry.stepwise) { extents.append(.range(range)) }
        return false
      }
      let sides = [entry.discrete.width, entry.discrete.height]
      if sides.allSatisfy({ (1...Self.maxSide).contains($0) }) {
        extents.append(.one(PictureSize(width: Int(sides[0]), height: Int(sides[1]))))
      }
      return true
    }
    if extents.isEmpty, let only = try sizeByTrying(code, requested) { extents = [.one(only)] }
    var sizes: [CameraSizes] = []
    for extent in extents {
      let size = CameraSizeFit(extent, requested: requested).size
      sizes.append(CameraSizes(extent: extent, rates: try rates(of: code, size)))
    }
    return sizes
  }

  /// Old drivers list no sizes, but return the nearest one.
  private func sizeByTrying(_ code: V4L2FourCC, _ requested: PictureSize) throws(SystemError) -> PictureSize?
  {
    do {
      let answer = try tryFormat(code, requested)
      return answer.code == code ? answer.size : nil
    } catch  where CameraFailure.meansUnsupported(error) {
      return nil
    }
  }

  private static func range(_ entry: v4l2_frmsize_stepwise) -> CameraSizeRange? {
    CameraSizeRange(
      smallest: PictureSize(width: Int(entry.min_width), height: Int(entry.min_height)),
      largest: PictureSize(
        width: Int(min(entry.max_width, maxSide)), height: Int(min(entry.max_height, maxSide))),
      widthStep: Int(entry.step_width), heightStep: Int(entry.step_height))
  }

  private func rates(of code: V4L2FourCC, _ size: PictureSize) throws(SystemError) -> CameraSizes.Rates {
    var rates: [FrameRate] = []
    var range: CameraSizes.Rates?
    try list { (index) throws(SystemError) in
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = code.code
      entry.width = UInt32(clamping: size.width)
      entry.height = UInt32(clamping: size.height)
      try request("VIDIOC_ENUM_FRAMEINTERVALS", cv4l_VIDIOC_ENUM_FRAMEINTERVALS, &entry)
      guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        if let slowest = Self.rate(entry.stepwise.max), let fastest = Self.rate(entry.stepwise.min) {
          range = .range(slowest: slowest, fastest: fastest)
        }
        return false
      }
      if let rate = Self.rate(entry.discrete) { rates.append(rate) }
      return true
    }
    return range ?? (rates.isEmpty ? .unknown : .list(rates))
  }

  private static func rate(_ interval: v4l2_fract) -> FrameRate? {
    FrameRate(numerator: Int(interval.denominator), denominator: Int(interval.numerator))
  }

  /// Calls `entry` with 0, 1, 2, … until it returns false or the driver has no more entries.
  private func list(_ entry: (UInt32) throws(SystemError) -> Bool) throws(SystemError) {
    for index in 0..<Self.maxListLength {
      do {
        guard try entry(index) else { return }
      } catch  where CameraFailure.meansUnsupported(error) {
        return
      }
    }
  }
}
