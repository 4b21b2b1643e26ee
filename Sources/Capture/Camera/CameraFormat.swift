package import HoldfastMediaModel

package struct CameraFormat: Hashable, Sendable {
  package let code: V4L2FourCC
  /// Converted by libv4l2 from another format.
  package let isEmulated: Bool
  package let sizes: [CameraSizes]
}

/// One size or a range of sizes, with frame rates.
package struct CameraSizes: Hashable, Sendable {
  package enum Extent: Hashable, Sendable {
    case one(PictureSize)
    case range(CameraSizeRange)
  }

  package enum Rates: Hashable, Sendable {
    case list([FrameRate])
    case range(slowest: FrameRate, fastest: FrameRate)
    case unknown
  }

  package let extent: Extent
  package let rates: Rates
}

extension CameraFormat {
  /// Such as `YUYV: 640x480 at 30, 15; 320x240 at 30`.
  package var summary: String {
    let sizes = sizes.map(\.summary)
    return code.description + (isEmulated ? " (emulated)" : "") + ": "
      + (sizes.isEmpty ? "sizes not reported" : sizes.joined(separator: "; "))
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

/// A grid of sizes between two limits, of a camera that scales or crops.
package struct CameraSizeRange: Hashable, Sendable {
  package let smallest: PictureSize
  package let largest: PictureSize
  package let widthStep: Int
  package let heightStep: Int

  /// Nil if a driver's numbers are not a valid range.
  package init?(smallest: PictureSize, largest: PictureSize, widthStep: Int, heightStep: Int) {
    guard smallest.width > 0, smallest.height > 0, smallest.width <= largest.width,
      smallest.height <= largest.height
    else { return nil }
    self.smallest = smallest
    self.largest = largest
    self.widthStep = max(1, widthStep)
    self.heightStep = max(1, heightStep)
  }

  /// The smallest size that covers `requested`, else the largest; even if possible.
  func size(for requested: PictureSize) -> PictureSize {
    let width = Self.covering(requested.width, from: smallest.width, through: largest.width, by: widthStep)
    let height = Self.covering(
      requested.height, from: smallest.height, through: largest.height, by: heightStep)
    if let width, let height { return PictureSize(width: width, height: height) }
    return PictureSize(
      width: Self.greatest(from: smallest.width, through: largest.width, by: widthStep),
      height: Self.greatest(from: smallest.height, through: largest.height, by: heightStep))
  }

  private static func covering(_ length: Int, from first: Int, through last: Int, by step: Int) -> Int? {
    let steps = max(0, length - first + step - 1) / step
    let values = [first + steps * step, first + (steps + 1) * step].filter { $0 <= last }
    return values.first { $0.isMultiple(of: 2) } ?? values.first
  }

  private static func greatest(from first: Int, through last: Int, by step: Int) -> Int {
    let value = first + (last - first) / step * step
    let below = value - step
    return !value.isMultiple(of: 2) && below >= first && below.isMultiple(of: 2) ? below : value
  }
}
