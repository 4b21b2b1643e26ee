import HoldfastMediaModel

/// The size of a picture in pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastMediaModel.PictureSize

  init(inner: HoldfastMediaModel.PictureSize) { self.inner = inner }

  public init(width: Int, height: Int) {
    inner = HoldfastMediaModel.PictureSize(width: width, height: height)
  }

  public var width: Int { inner.width }
  public var height: Int { inner.height }
  /// The size as text: `1280x720`.
  public var description: String { inner.description }
}
