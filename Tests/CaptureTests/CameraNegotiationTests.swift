import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct CameraNegotiationTests {
  @Test(arguments: [
    ("NV12", "YUYV"), ("YU12", "YUYV"), ("NV12", "UYVY"), ("YU12", "422P"), ("YUYV", "MJPG"),
    ("UYVY", "MJPG"), ("422P", "MJPG"), ("MJPG", "RGB3"), ("MJPG", "BGR3"), ("JPEG", "RGB3"),
    ("RGB3", "GREY"), ("MJPG", "GREY"), ("RGB3", "YU12*"), ("MJPG", "YU12*"), ("YUYV", "YU12*"),
    ("YU12*", "GREY"),
  ])
  func `the cheaper of two equivalent camera modes is chosen`(cheap: String, dear: String) throws {
    for names in [[cheap, dear], [dear, cheap]] {
      let formats = names.map { format($0, [("640x480", [30])]) }
      let choice = try CameraNegotiation.choose(from: formats, requested: video("640x480", 30))
      #expect(choice.code == code(cheap))
    }
  }

  @Test(
    arguments: [
      ([("YUYV", "1280x720", 10), ("MJPG", "1280x720", 30)], "MJPG 1280x720 at 30"),
      ([("YUYV", "640x480", 30), ("MJPG", "1280x720", 30)], "MJPG 1280x720 at 30"),
      ([("YUYV", "640x480", 30), ("MJPG", "1920x1080", 30)], "MJPG 1920x1080 at 30"),
      ([("YUYV", "1280x720", 10), ("MJPG", "1920x1080", 30)], "YUYV 1280x720 at 10"),
      ([("YUYV", "1280x720", 30), ("RGB3", "1280x720", 60)], "YUYV 1280x720 at 30"),
      ([("YUYV", "1280x720", 60), ("MJPG", "1280x720", 30)], "MJPG 1280x720 at 30"),
      ([("GREY", "1280x720", 30), ("YUYV", "320x240", 15)], "YUYV 320x240 at 15"),
      ([("YU12*", "1280x720", 30), ("YUYV", "1280x720", 10)], "YU12 1280x720 at 30"),
      ([("GREY", "1280x720", 30)], "GREY 1280x720 at 30"),
    ] as [([(String, String, Int)], String)])
  func `colour counts more than size, size more than rate, and rate more than cost`(
    offers: [(String, String, Int)], expected: String
  ) throws {
    let formats = offers.map { format($0.0, [($0.1, [$0.2])]) }
    let choice = try CameraNegotiation.choose(from: formats, requested: video("1280x720", 30))
    #expect("\(choice.code) \(choice.format)" == expected)
  }

  @Test(arguments: [
    (["640x480", "1280x720", "1920x1080"], "1280x720", "1280x720"),
    (["640x480", "1920x1080", "1600x900"], "1280x720", "1600x900"),
    (["640x480", "320x240", "800x600"], "1280x720", "800x600"),
    (["1280x700", "1200x720"], "1280x720", "1280x700"), (["641x481", "642x482"], "640x480", "642x482"),
    (["639x479", "320x240"], "640x480", "320x240"), (["641x480"], "640x480", "641x480"),
    (["641x481", "1280x720"], "641x481", "1280x720"),
  ])
  func `the smallest covering size is chosen, else the largest, preferably even`(
    sizes: [String], wanted: String, expected: String
  ) throws {
    for sizes in [sizes, sizes.reversed()] {
      let formats = [format("YUYV", sizes.map { ($0, [30]) })]
      let choice = try CameraNegotiation.choose(from: formats, requested: video(wanted, 30))
      #expect(choice.format.size.description == expected)
    }
  }

  @Test(arguments: [
    (["30", "15"], "30", "30"), (["15", "60", "50"], "30", "50"), (["10", "15", "25"], "30", "25"),
    (["29.97", "30"], "30", "30"), (["29.97", "60", "15"], "30", "29.97"), (["30"], "29.97", "30"),
    (["25"], "24", "25"), ([], "30", "30"),
  ])
  func `the requested rate is chosen, else the next higher, else the highest`(
    rates: [String], wanted: String, expected: String
  ) throws {
    let rates = rates.compactMap { FrameRate($0) }
    let wanted = VideoFormat(size: size("640x480"), frameRate: try #require(FrameRate(wanted)))
    for rates in [rates, rates.reversed()] {
      let sizes = CameraSizes(extent: .one(wanted.size), rates: .list(rates))
      let choice = try CameraNegotiation.choose(from: [format("YUYV", sizes)], requested: wanted)
      #expect(choice.format.frameRate.description == expected)
    }
  }

  @Test(arguments: [("1", "5"), ("5", "5"), ("12.5", "12.50"), ("60", "60"), ("120", "60")])
  func `a rate range gives the requested rate or the nearer end`(wanted: String, expected: String) throws {
    let (slowest, fastest) = (try #require(FrameRate("5")), try #require(FrameRate("60")))
    let wanted = VideoFormat(size: size("640x480"), frameRate: try #require(FrameRate(wanted)))
    let sizes = CameraSizes(extent: .one(wanted.size), rates: .range(slowest: slowest, fastest: fastest))
    let choice = try CameraNegotiation.choose(from: [format("YUYV", sizes)], requested: wanted)
    #expect(choice.format.frameRate.description == expected)
  }

  @Test func `a format without listed rates gets the requested one unless others list rates`() throws {
    let silent = format("YUYV", CameraSizes(extent: .one(size("640x480")), rates: .unknown))
    let telling = format("MJPG", [("640x480", [15])])
    let wanted = video("640x480", 30)
    let alone = try CameraNegotiation.choose(from: [silent], requested: wanted)
    #expect(alone.format == wanted)
    let both = try CameraNegotiation.choose(from: [silent, telling], requested: wanted)
    #expect(both.content == .mjpeg)
  }

  @Test func `H264 is chosen for copying, and only then`() throws {
    let formats = [format("YUYV", [("1280x720", [30])]), format("H264", [("640x480", [15])])]
    let wanted = video("1280x720", 30)
    #expect(try CameraNegotiation.choose(from: formats, requested: wanted, forCopy: true).content == .h264)
    #expect(try CameraNegotiation.choose(from: formats, requested: wanted).content == .raw(.yuyv422))
  }

  @Test(arguments: [
    (["YUYV"], [30], true), (["BA81", "H264"], [30], false), ([], [30], false), (["YUYV"], [], false),
  ])
  func `a camera without a fitting format is rejected, and the error lists its formats`(
    names: [String], rates: [Int], forCopy: Bool
  ) {
    let formats = names.map { format($0, rates.isEmpty ? [] : [("640x480", rates)]) }
    let offered = names.map(code)
    let refusal = forCopy ? CameraRefusal.nothingToCopy(offered: offered) : .nothingReadable(offered: offered)
    #expect(throws: refusal) {
      try CameraNegotiation.choose(from: formats, requested: video("640x480", 30), forCopy: forCopy)
    }
  }

  @Test(arguments: [
    ([("YUYV", "640x480", 30)], "YUYV 640x480 at 30: raw, exact size and rate"),
    (
      [("YUYV", "640x480", 10), ("MJPG", "640x480", 30)],
      "MJPEG 640x480 at 30: decoded here, exact size and rate (YUYV offers only 640x480 at 10)"
    ),
    (
      [("NV12", "800x600", 60)],
      "NV12 800x600 at 60: raw, the smallest size that is large enough, the next higher rate; "
        + "requested 640x480 at 30"
    ),
    (
      [("YU12*", "320x240", 15)],
      "YU12 320x240 at 15: converted by libv4l2, the largest size it supports, the highest rate it supports; "
        + "requested 640x480 at 30"
    ),
    ([("GREY", "640x480", 30)], "GREY 640x480 at 30: raw, grayscale, exact size and rate"),
  ])
  func `the reason says what was chosen and why`(offers: [(String, String, Int)], expected: String) throws {
    let formats = offers.map { format($0.0, [($0.1, [$0.2])]) }
    #expect(try CameraNegotiation.choose(from: formats, requested: video("640x480", 30)).reason == expected)
  }

  @Test func `the best of any three camera modes is chosen`() throws {
    let offers = ["YUYV", "MJPG", "RGB3"].flatMap { name in
      ["320x240", "640x480", "1280x720"].flatMap { size in [10, 30, 60].map { (name, size, $0) } }
    }
    let wanted = video("640x480", 30)
    for first in offers {
      for second in offers {
        for third in offers {
          let formats = [first, second, third].map { format($0.0, [($0.1, [$0.2])]) }
          let choice = try CameraNegotiation.choose(from: formats, requested: wanted)
          let chosen = worth(choice.code.description, choice.format.size.description, choice.format.frameRate)
          let best = [first, second, third].map { worth($0.0, $0.1, rate($0.2)) }.max() ?? 0
          try #require(chosen == best, "of \(first), \(second), \(third): \(choice)")
        }
      }
    }
  }

  /// What a mode is worth when 640x480 at 30 is wanted, as a table.
  private func worth(_ name: String, _ size: String, _ rate: FrameRate) -> Int {
    let sizes = ["320x240": 0, "1280x720": 1, "640x480": 2]
    let rates = ["10": 0, "60": 1, "30": 2]
    let names = ["RGB3": 0, "MJPG": 1, "YUYV": 2]
    return (sizes[size] ?? -100) * 9 + (rates[rate.description] ?? -100) * 3 + (names[name] ?? -100)
  }

  /// A format by its letters; a star behind them says that libv4l2 emulates it.
  private func format(_ name: String, _ sizes: [(String, [Int])]) -> CameraFormat {
    let sizes = sizes.map { CameraSizes(extent: .one(size($0.0)), rates: .list($0.1.map(rate))) }
    return CameraFormat(code: code(name), isEmulated: name.hasSuffix("*"), sizes: sizes)
  }

  private func format(_ name: String, _ sizes: CameraSizes) -> CameraFormat {
    CameraFormat(code: code(name), isEmulated: false, sizes: [sizes])
  }

  private func code(_ name: String) -> V4L2FourCC {
    V4L2FourCC(code: name.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  private func video(_ size: String, _ rate: Int) -> VideoFormat {
    VideoFormat(size: self.size(size), frameRate: self.rate(rate))
  }

  private func size(_ text: String) -> PictureSize { PictureSize(text) ?? PictureSize(width: 0, height: 0) }
  private func rate(_ number: Int) -> FrameRate { FrameRate(numerator: number, denominator: 1) ?? .thirty }
}

@Suite struct CameraFourCCTests {
  @Test(arguments: [
    (0x5659_5559 as UInt32, "YUYV"), (0x4750_4A4D, "MJPG"), (0x3436_3248, "H264"), (0x2036_3159, "Y16"),
    (0xA036_3159, "Y16"),
  ])
  func `the letters of a format's code are read from the lowest byte up`(code: UInt32, letters: String) {
    #expect(V4L2FourCC(code: code).description == letters)
  }

  @Test func `every pixel format has its own code and is found by it`() {
    for format in PixelFormat.allCases {
      #expect(CameraNegotiation.content(of: format.fourCC) == .raw(format))
    }
    #expect(V4L2FourCC("YUYV").code == 0x5659_5559)
  }
}
