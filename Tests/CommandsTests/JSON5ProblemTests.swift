import TestSupport
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

@Suite struct JSON5ProblemTests {
  @Test(
    arguments: [
      ("{ a: 1", "1:7 the { in line 1 is not closed"), ("{\n  a: 1\n  b: 2\n}", "3:3 expected , or }"),
      ("{\n a: 1,\n b: }", "3:5 expected a value"), ("{ a: [1,\n 2 }", "2:4 expected , or ]"),
      ("[1,,2]", "1:4 expected a value or ]"), ("{a: 1} x", "1:8 expected the end"),
      ("{ a 1 }", "1:5 expected :"), ("{ 1: 2 }", "1:3 expected a name or }"),
      ("{\n a: 'x\n}", "2:5 the text has no closing '"), ("{ é: \"éé\", b: ! }", "1:15 expected a value"),
      ("{a: 1 /* b: 2 }", "1:7 the comment has no */"), ("{ b: tru }", "1:6 expected a value"),
      ("{ b: 12px }", "1:6 expected a value"), ("{ b: 10M }", "1:6 expected a value"),
      ("", "1:1 expected a value"), ("]", "1:1 expected a value"),
      ("{ a: 'x\\", "1:6 the text has no closing '"),
    ])
  func `the first wrong place is found, with what belongs there`(text: String, place: String) {
    let problem = JSON5Problem(in: text)
    #expect(problem.map { "\($0.line):\($0.column) \($0.what)" } == place)
    #expect(refusal(file: text)?.subject.hasPrefix("hall.json5:\(place.prefix { $0 != " " })") == true)
  }

  @Test(
    arguments: [
      "{}", "[]", " 1 ", "{ a: 1, }", "[1, 2,]", "{ 'a b': [{}], \"c\": {d: null} } // end",
      "{ a: +.5e-3, b: 0xFF, c: -Infinity, d: NaN, e: 5., $f_1: true }",
      "/* a */ { é: 'it\\'s \\\n two lines' }",
    ])
  func `nothing is wrong with JSON5`(text: String) {
    #expect(JSON5Problem(in: text) == nil)
  }
}
