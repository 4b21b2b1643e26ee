import HoldfastFFmpeg
import HoldfastLettering
import HoldfastMediaModel

/// The names under the tiles, and what their slates say. Each text is rendered once.
struct TileLabels: ~Copyable {
  private struct Key: Hashable {
    let text: String
    let isMuted: Bool
    let height: Int
    let width: Int
    let ground: UInt8
  }

  private final class Label {
    let frame: Frame

    init(_ frame: consuming Frame) { self.frame = frame }
  }

  private let lettering: Lettering?
  private var labels: [Key: Label] = [:]

  private static let maxLabels = 100
  private static let ground: UInt8 = 24
  private static let ink: UInt8 = 225
  /// In smaller tiles, nobody could read it.
  private static let smallestTile = 60

  /// Without a font, names are left out; `note` says so.
  init(note: (String) -> Void) {
    lettering = Lettering()
    if lettering == nil {
      note("the tiles have no names, as no font was found: install fonts-dejavu-core")
    }
  }

  /// A strip at the lower edge of the tile, as wide as the name, with a sign if the tile is muted.
  mutating func draw(
    nameOf name: String, isMuted: Bool, in area: PictureArea, on canvas: borrowing Frame
  ) throws(FFmpegError) {
    guard area.size.height >= Self.smallestTile else { return }
    let height = max(16, area.size.height / 14) / 2 * 2
    let key = Key(text: name, isMuted: isMuted, height: height, width: area.size.width, ground: Self.ground)
    guard let label = try label(key) else { return }
    let strip = PictureArea(x: area.x, y: area.maxY - height, size: label.frame.size)
    try canvas.copy(label.frame, to: strip)
  }

  /// A text in the middle of the tile.
  mutating func draw(
    _ text: String, in area: PictureArea, over ground: UInt8, on canvas: borrowing Frame
  ) throws(FFmpegError) {
    guard area.size.height >= Self.smallestTile else { return }
    let height = max(16, area.size.height / 12) / 2 * 2
    let key = Key(text: text, isMuted: false, height: height, width: area.size.width, ground: ground)
    guard let label = try label(key) else { return }
    let place = PictureArea(
      x: area.x + (area.size.width - label.frame.size.width) / 4 * 2,
      y: area.y + (area.size.height - height) / 4 * 2, size: label.frame.size)
    try canvas.copy(label.frame, to: place)
  }

  private mutating func label(_ key: Key) throws(FFmpegError) -> Label? {
    if let known = labels[key] { return known }
    guard let text = picture(key) else { return nil }
    let frame = try Frame(black: PictureSize(width: text.width, height: text.height), format: .yuv420p)
    frame.withPlane(0) { bytes, bytesPerLine in
      for row in 0..<text.height {
        for column in 0..<text.width {
          let cover = Int(text.coverage[row * text.width + column])
          let luma = Int(key.ground) + (Int(Self.ink) - Int(key.ground)) * cover / 255
          bytes[row * bytesPerLine + column] = UInt8(luma)
        }
      }
    }
    let label = Label(frame)
    if labels.count >= Self.maxLabels { labels = [:] }
    labels[key] = label
    return label
  }

  private func drawn(_ text: String, height: Int, within width: Int) -> TextPicture? {
    switch lettering {
    case .some(let lettering): lettering.draw(text, height: height, within: width)
    case .none: nil
    }
  }

  /// The text between margins, in an even number of pixels, behind the sign; nil if there is nothing to show.
  private func picture(_ key: Key) -> TextPicture? {
    let margin = key.height / 3
    let sign = key.isMuted ? key.height : 0
    let room = key.width - 2 * margin - sign
    guard room > 0 else { return nil }
    let text = drawn(key.text, height: key.height, within: room)
    guard text != nil || key.isMuted else { return nil }
    let width = min(key.width, 2 * margin + sign + (text?.width ?? 0)) / 2 * 2
    var picture = TextPicture(width: width, height: key.height)
    if key.isMuted { picture.addMutedSign(size: key.height) }
    guard let text else { return picture }
    for row in 0..<text.height {
      for column in 0..<text.width {
        picture.add(text.coverage[row * text.width + column], x: margin + sign + column, y: row)
      }
    }
    return picture
  }
}

extension TextPicture {
  /// A loudspeaker that is crossed out.
  fileprivate mutating func addMutedSign(size: Int) {
    let (unit, middle) = (max(1, size / 10), size / 2)
    for y in 0..<size {
      let distance = abs(y - middle)
      for x in 0..<size {
        let isBox = (2 * unit..<4 * unit).contains(x) && distance <= unit
        let isCone = (4 * unit...6 * unit).contains(x) && distance <= unit + x - 4 * unit
        let isCross =
          (7 * unit...9 * unit).contains(x) && abs(distance - abs(x - 8 * unit)) <= max(1, unit / 2)
        if isBox || isCone || isCross { add(255, x: x, y: y) }
      }
    }
  }
}
