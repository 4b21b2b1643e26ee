import HoldfastMediaModel
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONValue(reading: bytes.span)
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
      ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .number(0x1p63)), ("1.5", .number(1.5)), ("-1e3", .number(-1000)),
      ("\"\"", .text("")), ("\"é\"", .text("é")),
      (#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, .text("\"\\/\u{8}\u{C}\n\r\té😀")), ("[]", .list([])),
      ("[1, [2]]", .list([.integer(1), .list([.integer(2)])])), ("{}", .object([])),
      (
        #"{"b": 1, "a": {"c": null}}"#,
        .object([.init("b", .integer(1)), .init("a", .object([.init("c", .null)]))])
      ),
    ] as [(String, JSONValue)])
  func `every kind of JSON value is read, with fields in order`(text: String, value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test func `characters that move a cursor or turn text around are written as escapes`() throws {
    let text = "a\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2066}\u{200B}\u{E0001}é😀"
    let written = JSONValue.text(text).description
    #expect(written == #""a\u001b[2J\u007f\u009b\u202e\u2066\u200b\udb40\udc01é😀""#)
    #expect(try read(written) == .text(text))
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
    "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "[", "[1", "[1,", "[1,]", "[,1]", "{", "{\"a\"", "{\"a\":",
    "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "1 2", "[]]", "1e999", "'a'", "NaN", "// x\n1",
  ])
  func `invalid JSON is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try read(text) }
  }

  @Test func `text that is not UTF-8 is refused`() {
    let bytes: [UInt8] = [0x22, 0xFF, 0x22]
    #expect(throws: JSONSyntaxError.self) { try JSONValue(reading: bytes.span) }
  }

  @Test func `JSON nested too deeply is refused without a stack overflow`() {
    #expect(throws: JSONSyntaxError.self) { try read(String(repeating: "[", count: 1_000_000)) }
    let whole = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    #expect(throws: Never.self) { try read(whole) }
  }

  @Test func `a written value is read back unchanged`() throws {
    let value: JSONValue = [
      "z": .text("a\u{1}\"\\\n\u{7F}😀"), "a": .list([.integer(.min), .number(0.1), .bool(false), .null]),
    ]
    #expect(try read(value.description) == value)
  }

  @Test func `JSON truncated anywhere is refused`() {
    let whole = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null],"b":{}}"#.utf8)
    for end in whole.indices {
      let cut = Array(whole[..<end])
      #expect(throws: JSONSyntaxError.self) { try JSONValue(reading: cut.span) }
    }
  }

  @Test func `a field is found by its name`() throws {
    let value = try read(#"{"a":1,"b":"x"}"#)
    #expect((value.field("b")?.text, value.field("c")) == ("x", nil))
    #expect(JSONValue.null.field("a") == nil)
  }
}
