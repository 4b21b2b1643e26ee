import HoldfastMediaModel

struct CameraSizeFit: Hashable {
  enum Kind { case exact, larger, smaller }

  let size: PictureSize
  let kind: Kind

  init(_ extent: CameraSizes.Extent, requested: PictureSize) {
    size =
      switch extent {
      case .one(let size): size
      case .range(let range): range.size(for: requested)
      }
    let covers = size.width >= requested.width && size.height >= requested.height
    kind = size == requested ? .exact : covers ? .larger : .smaller
  }

  /// Lower is better: the smallest size that covers the request, else the largest; even sizes first.
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
    case .smaller: "the largest size it supports"
    }
  }
}

struct CameraRateFit: Hashable {
  /// `near` is as good as `exact`; drivers round.
  enum Kind { case exact, near, higher, lower, unknown }

  let rate: FrameRate
  let kind: Kind

  init(_ rates: CameraSizes.Rates, requested: FrameRate) {
    switch rates {
    case .list(let list):
      let fits = list.map { Self($0, requested: requested) }
      let best = fits.min { $0.rank.lexicographicallyPrecedes($1.rank) }
      self = fits.first { $0.kind == .exact } ?? best ?? Self(unknown: requested)
    case .range(let slowest, let fastest):
      let isTooFast = requested.framesPerSecond > fastest.framesPerSecond
      let isTooSlow = requested.framesPerSecond < slowest.framesPerSecond
      self.init(isTooFast ? fastest : isTooSlow ? slowest : requested, requested: requested)
    case .unknown: self.init(unknown: requested)
    }
  }

  private init(_ rate: FrameRate, requested: FrameRate) {
    self.rate = rate
    let ratio = rate.framesPerSecond / requested.framesPerSecond
    kind = rate == requested ? .exact : abs(ratio - 1) <= 0.005 ? .near : ratio > 1 ? .higher : .lower
  }

  private init(unknown rate: FrameRate) {
    self.rate = rate
    kind = .unknown
  }

  /// Lower is better: the requested rate, then the lowest above it, then the highest below.
  var rank: [Int] {
    let tenths = Int((rate.framesPerSecond * 10).rounded())
    return switch kind {
    case .exact, .near: [0, 0]
    case .higher: [1, tenths]
    case .lower: [2, -tenths]
    case .unknown: [3, 0]
    }
  }

  var description: String {
    switch kind {
    case .exact: "exact rate"
    case .near: "nearly the exact rate"
    case .higher: "the next higher rate"
    case .lower: "the highest rate it supports"
    case .unknown: "a rate that the driver does not report"
    }
  }
}
