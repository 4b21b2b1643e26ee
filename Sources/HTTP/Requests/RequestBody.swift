package import HoldfastMediaModel

/// A request's body: one JSON object with known fields only.
package struct RequestBody {
  private let fields: [JSONValue.Field]

  package static let maxTextLength = 200

  /// An empty body is an empty object. Fields not in `known` are refused, as they would have no effect.
  package init(_ bytes: [UInt8], known: [String]) throws(APIError) {
    guard !bytes.isEmpty else {
      fields = []
      return
    }
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes.span)
    } catch {
      throw APIError(
        400, "badJSON", "the body is not valid JSON at byte \(error.offset)",
        hint: "send one JSON object")
    }
    guard case .object(let fields) = value else {
      throw APIError(400, "badBody", "the body is not a JSON object", hint: "put it in {…}")
    }
    var seen: Set<String> = []
    for field in fields {
      guard known.contains(field.key) else {
        let nearest = NearestMatch.find(field.key, among: known)
        let there = known.isEmpty ? "this request has no fields" : "use \(known.joined(separator: ", "))"
        throw APIError(
          422, "unknownField", "no such field", hint: nearest.map { "did you mean \($0)?" } ?? there)
      }
      guard seen.insert(field.key).inserted else {
        throw APIError(422, "badValue", "\(field.key): given twice", hint: "keep one of them")
      }
    }
    self.fields = fields
  }

  /// Any value; nil if it is missing.
  package func optionalJSON(_ key: String) -> JSONValue? { fields.first { $0.key == key }?.value }

  private func required(_ key: String, _ what: String) throws(APIError) -> JSONValue {
    guard let value = optionalJSON(key), value != .null else {
      throw .badValue(key, "required", hint: "write \"\(key)\": \(what)")
    }
    return value
  }

  package func flag(_ key: String) throws(APIError) -> Bool {
    guard let flag = try required(key, "true or false").flag else {
      throw .badValue(key, "not a boolean", hint: "write true or false")
    }
    return flag
  }

  /// False if it is missing.
  package func optionalFlag(_ key: String) throws(APIError) -> Bool {
    optionalJSON(key) == nil ? false : try flag(key)
  }

  package func text(_ key: String, maxLength: Int = maxTextLength) throws(APIError) -> String {
    guard case .text(let text) = try required(key, "a string") else {
      throw .badValue(key, "not a string", hint: "put it in quotes")
    }
    guard (1...maxLength).contains(text.count), text.utf8.count <= 4 * maxLength else {
      throw .badValue(
        key, "\(text.count) characters, \(text.utf8.count) bytes", hint: "use 1 to \(maxLength)")
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw .badValue(key, "contains control characters", hint: "remove them")
    }
    return text
  }

  package func optionalText(_ key: String) throws(APIError) -> String? {
    switch optionalJSON(key) {
    case nil, .null?: return nil
    case .text("")?: return nil
    case .bool, .integer, .number, .text, .list, .object: return try text(key)
    }
  }

  /// Seconds, or text such as `10m`.
  package func duration(_ key: String) throws(APIError) -> MediaTime {
    let written =
      switch try required(key, "\"10m\", or seconds") {
      case .text(let text): MediaTime(written: text)
      case .integer(let seconds) where seconds.magnitude <= 1 << 31: MediaTime.seconds(seconds)
      case .number(let seconds) where seconds.magnitude <= Double(1 << 31): MediaTime(seconds: seconds)
      case .null, .bool, .integer, .number, .list, .object: MediaTime?.none
      }
    guard let length = written, length > .zero else {
      throw .badValue(key, "not a duration", hint: "write \"90s\", \"10m\" or \"1h\", or a number of seconds")
    }
    return length
  }

  /// Bits per second, or text such as `2500k`.
  package func bitrate(_ key: String) throws(APIError) -> Int {
    let written =
      switch try required(key, "\"2500k\", or bits per second") {
      case .text(let text): Bitrate.read(text)
      case .integer(let rate): Int(exactly: rate)
      case .number(let rate): Int(exactly: rate.rounded())
      case .null, .bool, .list, .object: Int?.none
      }
    guard let rate = written, (50_000...200_000_000).contains(rate) else {
      throw .badValue(key, "not a valid bitrate", hint: "write \"50k\" to \"200M\", or bits per second")
    }
    return rate
  }

  /// Seconds from 0 up.
  package func length(_ key: String) throws(APIError) -> MediaTime {
    guard let seconds = try required(key, "a number of seconds").number,
      (0...Double(1 << 31)).contains(seconds)
    else {
      throw .badValue(key, "not a number of seconds", hint: "write a number from 0 up")
    }
    return MediaTime(seconds: seconds)
  }

  package func texts(_ key: String) throws(APIError) -> [String] {
    guard let elements = try required(key, "[\"…\"]").elements else {
      throw .badValue(key, "not a list", hint: "put texts in [ ]")
    }
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count else {
      throw .badValue(key, "not a list of texts", hint: "put each in quotes")
    }
    return texts
  }

  /// Some of `words`; nil if it is missing.
  package func optionalWords<Word: RawRepresentable & CaseIterable & Hashable>(
    _ key: String, _: Word.Type
  ) throws(APIError) -> Set<Word>? where Word.RawValue == String {
    guard let value = optionalJSON(key), value != .null else { return nil }
    func known() -> String { Word.allCases.map(\.rawValue).joined(separator: ", ") }
    guard let elements = value.elements else {
      throw .badValue(key, "not a list", hint: "write some of \(known()) in [ ]")
    }
    let words = elements.compactMap { $0.text.flatMap(Word.init) }
    guard words.count == elements.count else {
      throw .badValue(key, "unknown word", hint: "use some of \(known())")
    }
    return Set(words)
  }

  package func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _: Word.Type
  ) throws(APIError) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text(key)) else {
      throw .badValue(
        key, "unknown word", hint: "use one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// The field's value as JSON text.
  package func json(_ key: String) -> String { (optionalJSON(key) ?? .null).description }
}
