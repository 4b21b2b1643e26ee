import HoldfastMediaModel
import Testing

@testable import HoldfastFFmpeg

/// Colours of pictures that come as red, green and blue.
@Suite struct ColourTests {
  /// The luma and the chroma of a converted picture of one colour.
  private func converted(
    _ pixel: [UInt8], _ format: PixelFormat, _ from: PictureSize, to size: PictureSize
  ) throws -> [UInt8] {
    let frame = try Frame(size: from, format: format)
    frame.withPlane(0) { bytes, stride in
      for index in bytes.indices { bytes[index] = pixel[index % stride % 3] }
    }
    var converter = FrameConverter(size: size, format: .yuv420p)
    let result = try converter.convert(frame)
    return (0..<3).map { plane in
      result.withPlane(plane) { bytes, stride in bytes[bytes.count / stride / 2 * stride + stride / 4] }
    }
  }

  private static let small = PictureSize(width: 640, height: 360)
  private static let large = PictureSize(width: 1280, height: 720)

  @Test(
    arguments: [
      // BT.601 below 720 lines, BT.709 from there, as players take them.
      (small, small, [81, 90, 240]), (large, small, [81, 90, 240]), (large, large, [63, 102, 240]),
      (small, large, [63, 102, 240]),
    ] as [(PictureSize, PictureSize, [Int])])
  func `red is converted with the colour matrix that players assume`(
    from: PictureSize, size: PictureSize, values: [Int]
  ) throws {
    for (pixel, format) in [([255, 0, 0], .rgb24), ([0, 0, 255], .bgr24)] as [([UInt8], PixelFormat)] {
      let found = try converted(pixel, format, from, to: size).map(Int.init)
      #expect(zip(found, values).allSatisfy { abs($0 - $1) <= 2 }, "\(found)")
    }
  }

  @Test(arguments: [small, large])
  func `black and white keep their levels`(size: PictureSize) throws {
    let black = try converted([0, 0, 0], .rgb24, size, to: size).map(Int.init)
    let white = try converted([255, 255, 255], .rgb24, size, to: size).map(Int.init)
    #expect(zip(black, [16, 128, 128]).allSatisfy { abs($0 - $1) <= 1 }, "\(black)")
    #expect(zip(white, [235, 128, 128]).allSatisfy { abs($0 - $1) <= 1 }, "\(white)")
  }
}
