internal import HoldfastMediaModel

/// The frame rate nearest to a wanted one that a camera offers in one place.
struct CameraRateFit: Hashable {
  enum Kind: Hashable {
    case exact
    /// Drivers round: half a percent more or less is as good as exact.
    case near
    case higher, lower
    case unknown
  }

  let rate: FrameRate
  let kind: Kind

  init(_ rates: CameraSizes.Rates, wanted: FrameRate) {
    switch rates {
    case .list(let list):
      let fits = list.map { Self($0, wanted: wanted) }
      let best = fits.min { $0.rank.lexicographicallyPrecedes($1.rank) }
      self = fits.first { $0.kind == .exact } ?? best ?? Self(unknown: wanted)
    case .range(let slowest, let fastest):
      let isTooFast = wanted.framesPerSecond > fastest.framesPerSecond
      let isTooSlow = wanted.framesPerSecond < slowest.framesPerSecond
      self.init(isTooFast ? fastest : isTooSlow ? slowest : wanted, wanted: wanted)
    case .unknown:
      self.init(unknown: wanted)
    }
  }

  private init(_ rate: FrameRate, wanted: FrameRate) {
    self.rate = rate
    let ratio = rate.framesPerSecond / wanted.framesPerSecond
    kind = rate == wanted ? .exact : abs(ratio - 1) <= 0.005 ? .near : ratio > 1 ? .higher : .lower
  }

  private init(unknown rate: FrameRate) {
    self.rate = rate
    kind = .unknown
  }

  /// Lower is better: the wanted rate, then the lowest above it, whose surplus can be dropped, then the highest below.
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
    case .lower: "the highest rate it reaches"
    case .unknown: "a rate that the driver doesn't tell"
    }
  }
}
