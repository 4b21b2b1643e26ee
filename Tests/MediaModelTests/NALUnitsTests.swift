import HoldfastMediaModel
import Testing

@Suite struct NALUnitsTests {
  @Test(
    arguments: [
      ([], []), ([0, 0, 0, 1], []), ([7, 7], []), ([0, 0, 1, 0x65], [0x65]),
      ([0, 0, 0, 1, 0x65, 1, 2], [0x65, 1, 2]), ([0, 0, 1, 0x65, 1, 0, 0], [0x65, 1]),
      ([9, 0, 0, 1, 0x65, 0, 0, 3, 1], [0x65, 0, 0, 3, 1]),
    ] as [([UInt8], [UInt8])])
  func `a NAL unit is found between start codes`(stream: [UInt8], unit: [UInt8]) {
    #expect(NALUnits.units(annexB: stream.span) == (unit.isEmpty ? [] : [unit]))
  }

  @Test func `NAL units get length prefixes, and packets leave out parameter sets`() {
    let stream: [UInt8] = [0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x65, 5, 6, 0, 0, 0, 1, 0x68, 2]
    let prefixed: [UInt8] = [0, 0, 0, 2, 0x67, 1, 0, 0, 0, 3, 0x65, 5, 6, 0, 0, 0, 2, 0x68, 2]
    #expect(NALUnits.lengthPrefixed(annexB: stream.span) == prefixed)
    #expect(Codec.h264.packetBytes(annexB: stream.span) == [0, 0, 0, 3, 0x65, 5, 6])
  }

  @Test func `NAL units joined by start codes are split into the same units`() {
    // Units without a start code inside and without a zero at the end, put together and taken apart again.
    var state: UInt64 = 1
    for _ in 0..<2000 {
      var units: [[UInt8]] = []
      var stream: [UInt8] = []
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        let unit = (0..<5).map { UInt8(truncatingIfNeeded: state >> (20 + UInt64($0) * 8)) | 2 }
        units.append(unit)
        stream += (state >> 60 & 1 == 0 ? [0, 0, 1] : [0, 0, 0, 1]) + unit
      }
      #expect(NALUnits.units(annexB: stream.span) == units)
    }
  }

  @Test func `an avcC record holds both parameter sets, and needs both`() {
    let stream: [UInt8] = [0, 0, 0, 1, 0x67, 66, 0, 30, 9, 0, 0, 0, 1, 0x68, 0xCE, 1]
    let record: [UInt8] = [1, 66, 0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0, 30, 9, 1, 0, 3, 0x68, 0xCE, 1]
    for stream in [stream, stream + stream] { #expect(Codec.h264.headers(annexB: stream.span) == record) }
    #expect(Codec.h264.headers(annexB: Array(stream.prefix(9)).span) == nil)
    #expect(Codec.hevc.headers(annexB: stream.span) == nil)
  }

  @Test func `headers cover those whose parameter sets they have, in any order`() {
    func headers(_ pictureSets: [UInt8]...) -> [UInt8] {
      let units = [[0x67, 66, 0, 30, 9]] + pictureSets.map { [0x68] + $0 }
      let stream: [UInt8] = units.flatMap { [0, 0, 0, 1] + $0 }
      return Codec.h264.headers(annexB: stream.span) ?? []
    }
    let both = headers([0xCE, 1], [0xCE, 2])
    #expect(Codec.h264.covers(headers([0xCE, 2], [0xCE, 1]), with: both))
    #expect(Codec.h264.covers(headers([0xCE, 2]), with: both))
    #expect(!Codec.h264.covers(headers([0xCE, 3]), with: both))
    #expect(!Codec.h264.covers(both, with: headers([0xCE, 1])))
    #expect(Codec.aac.covers([0x11, 0x90], with: [0x11, 0x90]) && !Codec.aac.covers([0x12], with: [0x11]))
    #expect(!Codec.h264.covers([], with: both))
  }

  @Test func `random bytes of any length do no harm when read as NAL units`() {
    var state: UInt64 = 99
    for length in 0..<400 {
      let bytes = (0..<length).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 62 == 0
          ? UInt8(truncatingIfNeeded: state >> 40) : UInt8(truncatingIfNeeded: state >> 63)
      }
      _ = Codec.h264.headers(annexB: bytes.span)
      _ = Codec.hevc.headers(annexB: bytes.span)
      _ = AVCConfiguration.isKeyframe(annexB: bytes.span)
      #expect(Codec.h264.packetBytes(annexB: bytes.span).count <= bytes.count * 3 + 8)
    }
  }
}

@Suite struct PictureSizeTests {
  @Test(arguments: [
    ("1920x1080", "1280x720", "1280x720"), ("640x480", "1280x720", "640x480"),
    ("1600x1200", "1280x720", "960x720"), ("641x481", "1280x720", "640x480"),
    ("720x1280", "1280x720", "404x720"),
  ])
  func `a size is reduced to fit a limit, keeping its shape`(size: String, limit: String, result: String)
    throws
  {
    let fitted = try #require(PictureSize(size)).fitted(into: try #require(PictureSize(limit)))
    #expect(fitted.description == result)
  }

  @Test(arguments: ["", "x", "1280", "1280x", "ax720", "1x2x3", "1280 x720"])
  func `an invalid picture size is refused`(text: String) {
    #expect(PictureSize(text) == nil)
  }
}

@Suite struct AV1ConfigurationTests {
  private let unit: [UInt8] = [0x0A, 0x0B, 0, 0, 0, 0x04, 0x3C, 0xFE, 0xCC, 0xDA, 0xF9, 0x00, 0x40]

  @Test func `a sequence header becomes a record, and a record stays one`() {
    let record: [UInt8] = [0x81, 0, 0x0C, 0] + unit
    #expect([unit, record].map { AV1Configuration.record(headers: $0) } == [record, record])
  }

  @Test func `the sequence header is found among the units of a key picture`() {
    let picture: [UInt8] = [0x12, 0] + unit + [0x32, 0x03, 1, 2, 3]
    #expect(Codec.av1.headers(annexB: picture.span) == unit)
    for length in 0..<2 + unit.count {
      #expect(Codec.av1.headers(annexB: Array(picture.prefix(length)).span) == nil)
    }
    let without: [UInt8] = [0x12, 0, 0x32, 0x03, 1, 2, 3]
    #expect(Codec.av1.headers(annexB: without.span) == nil)
  }

  @Test(arguments: [[], [0x81], [0x12, 0], [0x0A], [0x0A, 0x0B]])
  func `bytes that are neither sequence header nor record are refused`(bytes: [UInt8]) {
    #expect(AV1Configuration.record(headers: bytes) == nil)
  }
}
