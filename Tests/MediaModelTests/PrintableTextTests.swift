import HoldfastMediaModel
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("a\u{1B}[2Jb", "a[2Jb"), ("a\u{9B}1m\u{7F}b\u{0}", "a1mb"), ("\u{202E}abc\u{2066}\u{2069}", "abc"),
    ("a\u{200B}b\u{FEFF}", "ab"), ("a\u{2028}b\r\nc", "abc"), ("naïve 日本 😀", "naïve 日本 😀"), ("", ""),
  ])
  func `text is shown without control, bidi and invisible characters`(text: String, shown: String) {
    #expect(text.printable == shown)
  }

  @Test func `lines stay lines`() {
    #expect("one\ntwo\u{1B}[31m\n\nthree\r\n".printableLines == "one\ntwo[31m\n\nthree\n")
  }
}
