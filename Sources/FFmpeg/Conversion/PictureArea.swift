internal import HoldfastMediaModel

/// Where a picture lies within one of another shape: as large as it can be, in the middle, not distorted.
struct PictureArea: Hashable {
  let x: Int
  let y: Int
  let size: PictureSize

  /// Lengths are even. Bars that would be next to nothing are left out: the picture is stretched by so little.
  init(of picture: PictureSize, in whole: PictureSize) {
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
}
