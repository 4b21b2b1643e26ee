/// A rectangle within a picture, in pixels.
package struct PictureArea: Hashable, Sendable {
  package let x: Int
  package let y: Int
  package let size: PictureSize

  package init(x: Int, y: Int, size: PictureSize) { (self.x, self.y, self.size) = (x, y, size) }

  /// The largest centred area of a picture's shape within another picture. Lengths are even. Stretches the picture
  /// instead of leaving tiny bars.
  package init(of picture: PictureSize, in whole: PictureSize) {
    let factor = min(
      Double(whole.width) / Double(max(1, picture.width)),
      Double(whole.height) / Double(max(1, picture.height)))
    func fitted(_ length: Int, _ limit: Int) -> Int {
      let scaled = max(2, Int((Double(length) * factor / 2).rounded()) * 2)
      return limit - scaled <= max(4, limit / 100) ? limit : scaled
    }
    let size = PictureSize(
      width: fitted(picture.width, whole.width), height: fitted(picture.height, whole.height))
    self.size = size
    x = (whole.width - size.width) / 4 * 2
    y = (whole.height - size.height) / 4 * 2
  }

  package var maxX: Int { x + size.width }
  package var maxY: Int { y + size.height }

  /// What surrounds it in `whole`: above, below, to its left and right.
  package func bars(in whole: PictureArea) -> [PictureArea] {
    func bar(_ x: Int, _ y: Int, _ maxX: Int, _ maxY: Int) -> PictureArea {
      PictureArea(x: x, y: y, size: PictureSize(width: maxX - x, height: maxY - y))
    }
    return [
      bar(whole.x, whole.y, whole.maxX, y), bar(whole.x, maxY, whole.maxX, whole.maxY),
      bar(whole.x, y, x, maxY), bar(maxX, y, whole.maxX, maxY),
    ].filter { $0.size.width > 0 && $0.size.height > 0 }
  }

  package func overlaps(_ other: PictureArea) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
}
