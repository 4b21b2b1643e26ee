import Testing

@testable import HoldfastMediaModel

@Suite struct NearestMatchTests {
  private static let names = ["--bitrate", "--audio-bitrate", "--name", "--video", "--video-codec", "--gop"]

  @Test(arguments: [
    ("--bitrat", "--bitrate"), ("--birtate", "--bitrate"), ("--bit", "--bitrate"), ("--BITRATE", "--bitrate"),
    ("--nmae", "--name"), ("--vdieo", "--video"), ("--videocodec", "--video-codec"), ("--goo", "--gop"),
    ("--audio", "--audio-bitrate"), ("--video-", "--video-codec"),
  ])
  func `a misspelled option finds the name that was meant`(text: String, name: String) {
    #expect(NearestMatch.find(text, among: Self.names) == name)
  }

  @Test(arguments: [
    "", "--", "-", "--to", "--xyz", "--quite-another-thing", String(repeating: "-bitrate", count: 9),
  ])
  func `text unlike every name has no match`(text: String) {
    #expect(NearestMatch.find(text, among: Self.names) == nil)
  }

  @Test func `an empty list has no match`() {
    #expect(NearestMatch.find("--name", among: []) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "b", 1),
  ])
  func `the edit distance is the same in both directions`(left: String, right: String, editDistance: Int) {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    #expect(NearestMatch.editDistance(left, right) == editDistance)
    #expect(NearestMatch.editDistance(right, left) == editDistance)
  }
}
