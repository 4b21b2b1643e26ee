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

@Suite struct StreamKeysTests {
  private let keys = StreamKeys(allowed: ["s3cret", "a+b"])

  @Test(arguments: [["key=s3cret"], ["", "x=1&key=s3cret"], ["key=wrong", "key=s3cret"], ["key=a%2Bb"]])
  func `a query with one of the keys is admitted`(queries: [String]) {
    #expect(keys.admit(queries))
  }

  @Test(arguments: [
    [], [""], ["key="], ["key=S3CRET"], ["s3cret"], ["monkey=s3cret"], ["key=s3cret2"], ["key=a%2"],
  ])
  func `a query without one of the keys is refused`(queries: [String]) {
    #expect(!keys.admit(queries))
  }

  @Test func `any query is admitted without a set of keys, and none with an empty set`() {
    #expect(StreamKeys(allowed: nil).admit([]))
    #expect(!StreamKeys(allowed: []).admit(["key="]))
  }
}
