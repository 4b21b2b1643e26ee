import HoldfastMediaModel
import Testing

@testable import HoldfastMediaServer

@Suite struct StreamNameTests {
  @Test(arguments: ["a", "hall", "Hall-2.left_side", "0", String(repeating: "x", count: 100)])
  func `plain stream names are accepted unchanged`(text: String) {
    #expect(StreamName(text)?.text == text)
  }

  @Test(
    arguments: [
      ("live", "ci", nil), ("live/", "ci", nil), ("", "ci", nil), ("other", "other/ci", "other"),
      ("a/b.c", "a/b.c/ci", "a/b.c"), ("live/b", "live/b/ci", "live/b"),
    ] as [(String, String, String?)])
  func `the streams of another application have a folder of their own`(
    application: String, text: String, folder: String?
  ) {
    let name = StreamName("ci", application: application)
    #expect(name?.text == text && name?.folder == folder)
  }

  @Test(arguments: ["..", "a/../b", ".a", "a b", "é", String(repeating: "a/", count: 51)])
  func `applications that could lead out of the folder are refused`(application: String) {
    #expect(StreamName("ci", application: application) == nil)
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "../etc/passwd", "a/b", "a\\b", "a b", "a\0b", "ä", "a\n", "%2e%2e", "~",
    String(repeating: "x", count: 101),
  ])
  func `stream names that could lead out of the folder are refused`(text: String) {
    #expect(StreamName(text) == nil)
  }
}

@Suite struct StreamKeyTests {
  private let keys = MediaAdmission.keys(["s3cret", "a+b"])

  private func verdict(_ queries: [String]) -> MediaAdmission.PublishVerdict? {
    keys.publish?("cam", StreamKey.presented(in: queries), .live, .start)
  }

  @Test(
    arguments: [
      ([], nil), ([""], nil), (["x=1"], nil), (["monkey=a"], nil), (["KEY=a"], nil), (["key"], nil),
      (["key="], ""), (["key=a"], "a"), (["x=1&key=a"], "a"), (["", "key=a"], "a"), (["key=a%2Bb"], "a+b"),
      (["key=a%2"], "a%2"), (["key=a=b"], "a=b"), (["key=a", "key=b"], "a"), (["key=a&key=b"], "a"),
      (["key=%C3%A4"], "ä"),
    ] as [([String], String?)])
  func `the key is the first argument of that name`(queries: [String], key: String?) {
    #expect(StreamKey.presented(in: queries) == key)
  }

  @Test(arguments: [["key=s3cret"], ["", "x=1&key=s3cret"], ["key=s3cret", "key=wrong"], ["key=a%2Bb"]])
  func `a query with one of the keys is admitted`(queries: [String]) {
    #expect(verdict(queries) == .admit(takesOver: false))
  }

  @Test(arguments: [
    [], [""], ["key="], ["key=S3CRET"], ["s3cret"], ["monkey=s3cret"], ["key=s3cret2"], ["key=a%2"],
    ["key=wrong", "key=s3cret"],
  ])
  func `a query without one of the keys is refused`(queries: [String]) {
    #expect(verdict(queries) == .refuse)
  }

  @Test func `keys are for publishers, and an empty set admits none of them`() {
    #expect(keys.play == nil)
    #expect(MediaAdmission.keys([]).publish?("cam", "", .live, .start) == .refuse)
  }
}
