import Testing

@testable import HoldfastPlatform

@Suite struct OutputTailTests {
  private func tail(of pieces: [String], limit: Int = 100) -> OutputTail {
    var tail = OutputTail(limit: limit)
    for piece in pieces { tail.add(Array(piece.utf8)) }
    return tail
  }

  @Test(arguments: [
    ["abcdefgh"], ["abcd", "efgh"], ["a", "b", "c", "d", "e", "f", "g", "h"], ["abcdefg", "", "h"],
  ])
  func `the end is kept, however it comes`(pieces: [String]) {
    #expect(tail(of: pieces, limit: 3).bytes == Array("fgh".utf8))
  }

  @Test(arguments: [
    ("one\ntwo\n", "two"), ("one\ntwo", "two"), ("one\n\n  \n\n", "one"), ("10 %\r20 %\r\n", "20 %"),
    ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"), ("a\tb\0c", "abc"), ("\u{202E}x", "x"),
  ])
  func `the last line can be shown`(text: String, line: String) {
    #expect(tail(of: [text]).lastLine == line)
  }

  @Test(arguments: ["", "\n\n", " \r\n", "\u{7}\n"])
  func `nothing said is no line`(text: String) {
    #expect(tail(of: [text]).lastLine == nil)
  }

  @Test func `bytes that are no text are shown as such`() {
    var tail = OutputTail(limit: 10)
    tail.add([0xFF, 0x61])
    #expect(tail.lastLine == "\u{FFFD}a")
  }
}
