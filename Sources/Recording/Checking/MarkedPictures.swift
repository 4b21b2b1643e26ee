import HoldfastFFmpeg
package import HoldfastMarks
import HoldfastMediaModel

/// The decodable pictures of a file with their marks.
package struct MarkedPictures: ~Copyable {
  private var reader: PictureReader
  private let layout: MarkLayout?

  package init?(path: String) {
    guard let reader = try? PictureReader(path: path) else { return nil }
    layout = MarkLayout(size: reader.format.size)
    self.reader = reader
  }

  /// False if the pictures are too small for marks.
  var canHaveMarks: Bool { layout != nil }

  /// Skips pictures that cannot be decoded.
  package mutating func next() -> MarkedPicture? {
    for _ in 0..<maxConsecutiveErrors {
      do {
        guard let picture = try reader.next() else { return nil }
        let mark = picture.frame.withPlane(0) { bytes, bytesPerLine in
          layout?.read(bytes.bindMemory(to: UInt8.self).span, bytesPerLine: bytesPerLine)
        }
        return MarkedPicture(time: picture.time, mark: mark)
      } catch {}
    }
    return nil
  }
}

/// After this many errors, the rest of a file is not read.
let maxConsecutiveErrors = 1000
