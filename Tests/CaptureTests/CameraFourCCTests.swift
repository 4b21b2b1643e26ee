import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct CameraFourCCTests {
  @Test(arguments: [
    (0x5659_5559 as UInt32, "YUYV"), (0x4750_4A4D, "MJPG"), (0x3436_3248, "H264"), (0x2036_3159, "Y16"),
    (0xA036_3159, "Y16"),
  ])
  func `the letters stand in the number, the first lowest`(code: UInt32, letters: String) {
    #expect(V4L2FourCC(code: code).description == letters)
  }

  @Test func `every pixel format has its own code, which leads back to it`() {
    for format in PixelFormat.allCases {
      #expect(CameraNegotiation.content(of: format.fourCC) == .raw(format))
    }
    #expect(V4L2FourCC("YUYV").code == 0x5659_5559)
  }
}
