package import HoldfastMediaModel

/// The sizes of a camera that scales or crops by itself: anything on a grid between two sizes.
package struct CameraSizeRange: Hashable, Sendable {
  package let smallest: PictureSize
  package let largest: PictureSize
  package let widthStep: Int
  package let heightStep: Int

  /// Nil where a driver's numbers make no range.
  package init?(smallest: PictureSize, largest: PictureSize, widthStep: Int, heightStep: Int) {
    guard smallest.width > 0, smallest.height > 0 else { return nil }
    guard smallest.width <= largest.width, smallest.height <= largest.height else { return nil }
    self.smallest = smallest
    self.largest = largest
    self.widthStep = max(1, widthStep)
    self.heightStep = max(1, heightStep)
  }

  /// The smallest size that covers `wanted`, else the largest; an even one where the grid has it.
  func size(for wanted: PictureSize) -> PictureSize {
    let width = Self.covering(wanted.width, from: smallest.width, through: largest.width, by: widthStep)
    let height = Self.covering(wanted.height, from: smallest.height, through: largest.height, by: heightStep)
    if let width, let height { return PictureSize(width: width, height: height) }
    return PictureSize(
      width: Self.greatest(from: smallest.width, through: largest.width, by: widthStep),
      height: Self.greatest(from: smallest.height, through: largest.height, by: heightStep))
  }

  private static func covering(_ wanted: Int, from first: Int, through last: Int, by step: Int) -> Int? {
    let steps = max(0, wanted - first + step - 1) / step
    let values = [first + steps * step, first + (steps + 1) * step].filter { $0 <= last }
    return values.first { $0.isMultiple(of: 2) } ?? values.first
  }

  private static func greatest(from first: Int, through last: Int, by step: Int) -> Int {
    let value = first + (last - first) / step * step
    let below = value - step
    return !value.isMultiple(of: 2) && below >= first && below.isMultiple(of: 2) ? below : value
  }
}
