import HoldfastCommands

/// The first place where a text stops being JSON5, which Foundation's decoder does not report.
struct JSON5Problem: Hashable {
  /// From 1, in characters.
  let line: Int
  let column: Int
  let what: String

  /// Nil if nothing is wrong.
  init?(in text: String) {
    let scalars = Array(text.unicodeScalars)
    var scanner = Scanner(text: scalars)
    do throws(Scanner.Stop) {
      try scanner.scan()
      return nil
    } catch {
      let before = scalars.prefix(error.index)
      line = 1 + before.count { $0 == "\n" }
      column = 1 + before.reversed().prefix { $0 != "\n" }.count
      what = error.what
    }
  }
}

private struct Scanner {
  struct Stop: Error {
    let index: Int
    let what: String
  }

  private enum Expected: String {
    case value = "a value"
    case element = "a value or ]"
    case key = "a name or }"
    case colon = ":"
    case commaOrBracket = ", or ]"
    case commaOrBrace = ", or }"
    case end = "the end"
  }

  private let text: [Unicode.Scalar]
  private var index = 0
  /// The open brackets and their places.
  private var open: [(bracket: Unicode.Scalar, index: Int)] = []

  init(text: [Unicode.Scalar]) { self.text = text }

  mutating func scan() throws(Stop) {
    var expected = Expected.value
    while try skipBlanks() {
      let start = index
      switch (expected, text[index]) {
      case (.value, "{"), (.value, "["), (.element, "{"), (.element, "["):
        open.append((text[index], index))
        expected = text[index] == "{" ? .key : .element
        index += 1
        continue
      case (.key, "}"), (.commaOrBrace, "}"), (.element, "]"), (.commaOrBracket, "]"):
        open.removeLast()
        index += 1
      case (.commaOrBrace, ","), (.commaOrBracket, ","):
        expected = expected == .commaOrBrace ? .key : .element
        index += 1
        continue
      case (.colon, ":"):
        expected = .value
        index += 1
        continue
      case (.key, let scalar):
        if !(try skipString()), !(scalar.isOfName && !("0"..."9").contains(scalar)) || skipWord().isEmpty {
          throw stop(start, expected)
        }
        expected = .colon
        continue
      case (.value, _), (.element, _):
        guard try skipString() || Self.isValue(skipWord()) else { throw stop(start, expected) }
      case (.colon, _), (.commaOrBracket, _), (.commaOrBrace, _), (.end, _): throw stop(start, expected)
      }
      // A value has ended.
      expected = open.last.map { $0.bracket == "{" ? .commaOrBrace : .commaOrBracket } ?? .end
    }
    if expected != .end { throw stop(index, expected) }
  }

  private func stop(_ index: Int, _ expected: Expected) -> Stop {
    guard index == text.count, let last = open.last else {
      return Stop(index: index, what: "expected \(expected.rawValue)")
    }
    let line = 1 + text.prefix(last.index).count { $0 == "\n" }
    return Stop(index: index, what: "the \(last.bracket) in line \(line) is not closed")
  }

  /// Skips white space and comments; false at the end.
  private mutating func skipBlanks() throws(Stop) -> Bool {
    while index < text.count {
      let start = index
      if text[index].properties.isWhitespace || text[index] == "\u{FEFF}" {
        index += 1
      } else if text[index...].starts(with: "//".unicodeScalars) {
        while index < text.count, text[index] != "\n" { index += 1 }
      } else if text[index...].starts(with: "/*".unicodeScalars) {
        index += 2
        while index < text.count, !text[index...].starts(with: "*/".unicodeScalars) { index += 1 }
        if index == text.count { throw Stop(index: start, what: "the comment has no */") }
        index += 2
      } else {
        return true
      }
    }
    return false
  }

  /// False without a quote.
  private mutating func skipString() throws(Stop) -> Bool {
    let (start, quote) = (index, text[index])
    guard quote == "\"" || quote == "'" else { return false }
    repeat {
      index += text[index] == "\\" ? 2 : 1
      guard index < text.count, text[index] != "\n" || text[index - 1] == "\\" else {
        throw Stop(index: start, what: "the text has no closing \(quote)")
      }
    } while text[index] != quote
    index += 1
    return true
  }

  private mutating func skipWord() -> String {
    let word = text[index...].prefix { $0.isOfName || "+-.".unicodeScalars.contains($0) }
    index += word.count
    return String(String.UnicodeScalarView(word))
  }

  private static func isValue(_ word: String) -> Bool {
    word.wholeMatch(
      of:
        /true|false|null|[+-]?(Infinity|NaN|0[xX][0-9a-fA-F]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)/
    ) != nil
  }
}

extension Unicode.Scalar {
  fileprivate var isOfName: Bool {
    properties.isAlphabetic || ("0"..."9").contains(self) || self == "_" || self == "$" || self == "\\"
  }
}
