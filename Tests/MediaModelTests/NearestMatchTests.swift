import Testing

@testable import HoldfastMediaModel

@Suite struct NearestMatchTests {
  private static let names = ["--bitrate", "--audio-bitrate", "--name", "--video", "--video-codec", "--gop"]

  @Test(arguments: [
    ("--bitrat", "--bitrate"), ("--birtate", "--bitrate"), ("--bit", "--bitrate"), ("--BITRATE", "--bitrate"),
    ("--nmae", "--name"), ("--vdieo", "--video"), ("--videocodec", "--video-codec"), ("--goo", "--gop"),
    ("--audio", "--audio-bitrate"), ("--video-", "--video-codec"),
  ])
  func `finds what may have been meant`(text: String, name: String) {
    #expect(NearestMatch.find(text, among: Self.names) == name)
  }

  @Test(arguments: [
    "", "--", "-", "--to", "--xyz", "--quite-another-thing", String(repeating: "-bitrate", count: 9),
  ])
  func `says nothing where nothing is near`(text: String) {
    #expect(NearestMatch.find(text, among: Self.names) == nil)
  }

  @Test func `knows nothing among nothing`() {
    #expect(NearestMatch.find("--name", among: []) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "b", 1),
  ])
  func `counts editDistance, both ways alike`(left: String, right: String, editDistance: Int) {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    #expect(NearestMatch.editDistance(left, right) == editDistance)
    #expect(NearestMatch.editDistance(right, left) == editDistance)
  }
}
