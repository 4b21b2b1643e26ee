import HoldfastMediaModel

/// Pictures per second as a fraction, so that 29.97 is exactly 30000/1001.
///
/// A rate that is not positive is refused where it is used: in a configuration or by a source.
public struct FrameRate: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public var numerator: Int
  public var denominator: Int

  /// Creates the rate of `numerator` pictures in `denominator` seconds.
  public init(numerator: Int, denominator: Int = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a whole-number frame rate.
  public init(integerLiteral value: Int) { self.init(numerator: value) }

  init(inner: HoldfastMediaModel.FrameRate) {
    self.init(numerator: inner.numerator, denominator: inner.denominator)
  }

  /// Nil unless both parts are positive.
  var inner: HoldfastMediaModel.FrameRate? {
    HoldfastMediaModel.FrameRate(numerator: numerator, denominator: denominator)
  }

  /// The rate as text: `30` or `30000/1001`.
  public var description: String { inner?.description ?? "\(numerator)/\(denominator)" }

  /// The time between two pictures; zero for a rate that is not positive.
  public var frameDuration: Duration { (inner?.frameDuration).map(Duration.init) ?? .zero }
}
