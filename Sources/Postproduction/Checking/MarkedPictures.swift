import HoldfastFFmpeg
package import HoldfastMarks
import HoldfastMediaModel

/// The decodable pictures of a file with their marks.
package struct MarkedPictures: ~Copyable {
  private var reader: PictureReader
  private let layout: MarkLayout?
  /// How much more may be decoded.
  private var pixelsLeft: Int

  package init?(path: String) {
    guard let reader = try? PictureReader(path: path) else { return nil }
    self.init(reader, maxPixels: .max)
  }

  init?(_ media: CheckedMedia) {
    guard let stream = try? media.stream(), let reader = try? PictureReader(stream, of: media.path) else {
      return nil
    }
    self.init(reader, maxPixels: media.maxDecodedPixels)
  }

  private init(_ reader: consuming PictureReader, maxPixels: Int) {
    layout = MarkLayout(size: reader.format.size)
    self.reader = reader
    pixelsLeft = maxPixels
  }

  /// True if there are more pictures than the size of the file explains.
  var isExhausted: Bool { pixelsLeft <= 0 }

  /// False if the pictures are too small for marks.
  var canHaveMarks: Bool { layout != nil }

  /// Skips pictures that cannot be decoded.
  package mutating func next() -> MarkedPicture? {
    for _ in 0..<maxConsecutiveErrors where !isExhausted {
      do {
        guard let picture = try reader.next() else { return nil }
        pixelsLeft -= picture.frame.size.width * picture.frame.size.height
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
