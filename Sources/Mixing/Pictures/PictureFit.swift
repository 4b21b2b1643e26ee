package import HoldfastMediaModel

/// What is done about a picture of another shape than its place. The raw values are typed.
package enum Fill: String, Hashable, Sendable, CaseIterable {
  /// The whole picture, between bars.
  case bars
  /// The middle of the picture, without bars.
  case crop
}

/// Which part of a picture is shown where in its place; nothing is distorted. Positions and lengths are even.
package struct PictureFit: Hashable, Sendable {
  /// The part of the picture that is shown.
  package let source: PictureArea
  /// Where it is shown, in the coordinates of the output.
  package let target: PictureArea

  package init(_ picture: PictureSize, into place: PictureArea, _ fill: Fill) {
    switch fill {
    case .bars:
      source = PictureArea(x: 0, y: 0, size: picture)
      let inner = PictureArea(of: picture, in: place.size)
      target = PictureArea(x: place.x + inner.x, y: place.y + inner.y, size: inner.size)
    case .crop:
      source = PictureArea(of: place.size, in: picture)
      target = place
    }
  }
}
