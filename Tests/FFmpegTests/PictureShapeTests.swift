import Glibc
import HoldfastMediaModel
import Testing

@testable import HoldfastFFmpeg

/// Pictures of one shape within another, and as JPEG.
@Suite struct PictureShapeTests {
  /// A picture of one brightness, with another one at its edges.
  private func picture(_ size: PictureSize, luma: UInt8, edge: UInt8, format: PixelFormat = .yuv420p) throws
    -> Frame
  {
    let frame = try Frame(black: size, format: format)
    frame.withPlane(0) { bytes, stride in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let isEdge = x < 4 || y < 4 || x >= size.width - 4 || y >= size.height - 4
          bytes[y * stride + x] = isEdge ? edge : luma
        }
      }
    }
    return frame
  }

  private func luma(_ frame: borrowing Frame, _ x: Int, _ y: Int) -> UInt8 {
    frame.withPlane(0) { bytes, stride in bytes[y * stride + x] }
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12])
  func `a picture of another shape is kept whole between black bars`(format: PixelFormat) throws {
    var converter = FrameConverter(size: PictureSize(width: 320, height: 180), format: format)
    for _ in 0..<3 {
      let tall = try picture(PictureSize(width: 90, height: 180), luma: 100, edge: 200)
      let result = try converter.convert(tall)
      let line = result.withPlane(0) { bytes, stride in (0..<320).map { bytes[90 * stride + $0] } }
      let picture = 115 / 2 * 2..<115 / 2 * 2 + 90
      #expect((0..<320).allSatisfy { picture.contains($0) == (line[$0] > 16) }, "\(line)")
      #expect(line[160] == 100 && luma(result, 160, 1) == 200 && luma(result, 160, 178) == 200)
      let chroma = result.withPlane(1) { bytes, stride in
        Set((0..<90 * (format == .nv12 ? 2 : 1)).map { bytes[45 * stride + $0] })
      }
      #expect(chroma == [128])
    }
  }

  @Test func `a picture without bars fills the frame, even after one with bars`() throws {
    var converter = FrameConverter(size: PictureSize(width: 320, height: 180), format: .yuv420p)
    let tall = try converter.convert(picture(PictureSize(width: 90, height: 180), luma: 100, edge: 200))
    let wide = try converter.convert(picture(PictureSize(width: 640, height: 360), luma: 100, edge: 100))
    #expect(luma(tall, 0, 90) == 16)
    #expect([0, 5, 160, 319].allSatisfy { luma(wide, $0, 90) == 100 })
  }

  @Test(arguments: [
    (320, 180, 0, 0, 320, 180), (640, 480, 40, 0, 240, 180), (1000, 250, 0, 50, 320, 80),
    // As good as the same shape.
    (1366, 768, 0, 0, 320, 180), (318, 180, 0, 0, 320, 180),
  ])
  func `a picture is scaled to fit and centered`(
    width: Int, height: Int, x: Int, y: Int, innerWidth: Int, innerHeight: Int
  ) {
    let area = PictureArea(
      of: PictureSize(width: width, height: height), in: PictureSize(width: 320, height: 180))
    #expect(area == PictureArea(x: x, y: y, size: PictureSize(width: innerWidth, height: innerHeight)))
  }

  @Test(arguments: [PixelFormat.nv12, .yuyv422, .yuv420p], [PixelFormat.yuv420p, .nv12])
  func `a picture that needs no scaling is kept whole where its bars begin at any place`(
    source: PixelFormat, format: PixelFormat
  ) throws {
    var converter = FrameConverter(size: PictureSize(width: 854, height: 480), format: format)
    for _ in 0..<3 {
      let result = try converter.convert(.uniform(PictureSize(width: 640, height: 480), source, 90))
      let line = result.withPlane(0) { bytes, stride in (0..<854).map { bytes[479 * stride + $0] } }
      #expect((0..<854).allSatisfy { line[$0] == ((106..<746).contains($0) ? 90 : 16) }, "\(line)")
    }
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12, .yuyv422], [0, 2, 26, 64, 106, 320])
  func `a picture that is drawn into another changes nothing around its area`(
    source: PixelFormat, x: Int
  ) throws {
    var inserter = PictureInserter()
    let sizes = [(64, 48), (160, 90), (480, 270), (320, 180), (318, 178), (290, 162), (640, 360), (448, 360)]
    for (width, height) in sizes {
      let result = try Frame(black: PictureSize(width: 960, height: 540), format: .yuv420p)
      let picture = try Frame.uniform(PictureSize(width: 640, height: 360), source, 90)
      let area = PictureArea(x: x, y: 100, size: PictureSize(width: width, height: height))
      try inserter.draw(PictureArea(x: 0, y: 0, size: picture.size), of: picture, into: result, at: area)
      for plane in 0..<3 {
        let shift = plane == 0 ? 0 : 1
        let around = [UInt8](repeating: plane == 0 ? 16 : 128, count: 960 >> shift)
        var across = around
        for x in area.x >> shift..<area.maxX >> shift { across[x] = 90 }
        let isRight = result.withPlane(plane) { bytes, stride in
          (0..<540 >> shift).allSatisfy { y in
            let isInside = (area.y >> shift..<area.maxY >> shift).contains(y)
            return memcmp(bytes.baseAddress! + y * stride, isInside ? across : around, around.count) == 0
          }
        }
        #expect(isRight, "\(area), plane \(plane)")
      }
    }
  }

  @Test(arguments: [(480, 270), (320, 180), (160, 90), (500, 282), (640, 360), (960, 540)])
  func `a picture that is drawn smaller or larger is neither moved nor changed in brightness`(
    width: Int, height: Int
  ) throws {
    /// The brightness of a column in a picture that gets brighter from left to right.
    func brightness(_ column: Int, of columns: Int) -> Double {
      16 + (Double(column) + 0.5) / Double(columns) * 200
    }
    let picture = try Frame(size: PictureSize(width: 640, height: 360), format: .yuv420p)
    for plane in 0..<3 {
      let columns = plane == 0 ? 640 : 320
      picture.withPlane(plane) { bytes, stride in
        for index in bytes.indices { bytes[index] = UInt8(min(255, brightness(index % stride, of: columns))) }
      }
    }
    let size = PictureSize(width: width, height: height)
    let result = try Frame(black: size, format: .yuv420p)
    var inserter = PictureInserter()
    try inserter.draw(
      PictureArea(x: 0, y: 0, size: picture.size), of: picture, into: result,
      at: PictureArea(x: 0, y: 0, size: size))
    for plane in 0..<3 {
      let (columns, lines) = plane == 0 ? (width, height) : (width / 2, height / 2)
      result.withPlane(plane) { bytes, stride in
        var worst = 0.0
        for line in 0..<lines {
          for column in 0..<columns {
            let difference = Double(bytes[line * stride + column]) - brightness(column, of: columns)
            worst = max(worst, abs(difference))
          }
        }
        #expect(worst < 2.5, "plane \(plane)")
      }
    }
  }

  @Test func `a part of a picture can be drawn`() throws {
    let left = try picture(PictureSize(width: 640, height: 360), luma: 100, edge: 100)
    left.fill(PictureArea(x: 320, y: 0, size: PictureSize(width: 320, height: 360)), luma: 200)
    let result = try Frame(black: PictureSize(width: 320, height: 180), format: .yuv420p)
    var inserter = PictureInserter()
    let size = PictureSize(width: 160, height: 180)
    try inserter.draw(
      PictureArea(x: 320, y: 0, size: PictureSize(width: 320, height: 360)), of: left, into: result,
      at: PictureArea(x: 0, y: 0, size: size))
    #expect(luma(result, 0, 90) == 200 && luma(result, 159, 90) == 200 && luma(result, 160, 90) == 16)
  }

  @Test(arguments: [1280, 640])
  func `a JPEG shows the whole picture, no wider than requested and as bright`(width: Int) throws {
    let white = try picture(PictureSize(width: width, height: width * 9 / 16), luma: 235, edge: 16)
    let decoded = try decoded(white.jpeg(within: 640))
    #expect(decoded.size == PictureSize(width: 640, height: 360))
    // White is 255 in a JPEG's full range; brought back to limited range it is 235 again.
    #expect(abs(Int(decoded.middle) - 235) <= 3 && decoded.edge <= 24, "\(decoded)")
  }

  private func decoded(_ jpeg: [UInt8]) throws -> (size: PictureSize, middle: UInt8, edge: UInt8) {
    var decoder = try PictureDecoder.mjpeg()
    var decoded: Frame?
    try jpeg.withUnsafeBytes { decoded = try decoder.decode($0) }
    guard let frame = decoded else { throw FFmpegError(operation: "decode", code: 0) }
    let size = frame.size
    var converter = FrameConverter(size: size, format: .yuv420p)
    let limited = try converter.convert(frame)
    return (size, luma(limited, size.width / 2, size.height / 2), luma(limited, 0, size.height / 2))
  }
}
