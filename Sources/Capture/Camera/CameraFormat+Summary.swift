internal import HoldfastMediaModel

extension CameraFormat {
  /// `YUYV: 640x480 at 30, 15; 320x240 at 30`
  package var summary: String {
    let sizes = sizes.map(\.summary)
    return code.description + (isEmulated ? " (emulated)" : "") + ": "
      + (sizes.isEmpty ? "sizes not told" : sizes.joined(separator: "; "))
  }
}

extension CameraSizes {
  fileprivate var summary: String {
    let size =
      switch extent {
      case .one(let size): size.description
      case .range(let range): "\(range.smallest) to \(range.largest)"
      }
    return switch rates {
    case .list(let rates): size + " at " + rates.map(\.description).joined(separator: ", ")
    case .range(let slowest, let fastest): size + " at \(slowest) to \(fastest)"
    case .unknown: size
    }
  }
}
