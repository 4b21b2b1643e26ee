internal import HoldfastMediaModel

/// The size nearest to a wanted one that a camera offers in one place.
struct CameraSizeFit: Hashable {
  enum Kind: Hashable {
    case exact, larger, smaller
  }

  let size: PictureSize
  let kind: Kind

  init(_ extent: CameraSizes.Extent, wanted: PictureSize) {
    size =
      switch extent {
      case .one(let size): size
      case .range(let range): range.size(for: wanted)
      }
    let covers = size.width >= wanted.width && size.height >= wanted.height
    kind = size == wanted ? .exact : covers ? .larger : .smaller
  }

  /// Lower is better: the smallest that covers what is wanted, which an exact one always is, else the largest; encoders
  /// want even sizes.
  var rank: [Int] {
    let isOdd = !size.width.isMultiple(of: 2) || !size.height.isMultiple(of: 2)
    return switch kind {
    case .exact, .larger: [0, isOdd ? 1 : 0, size.area]
    case .smaller: [1, isOdd ? 1 : 0, -size.area]
    }
  }

  var description: String {
    switch kind {
    case .exact: "exact size"
    case .larger: "the smallest size that is large enough"
    case .smaller: "the largest size it has"
    }
  }
}
