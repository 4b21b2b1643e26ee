package import HoldfastMediaModel

extension Session {
  /// Why a stored session, or an event, can't be read.
  package enum FormError: Error, Hashable, Sendable {
    case notJSON
    /// Written by a program that is newer.
    case unknownVersion(Int64)
    /// The field is missing, or has another type or an impossible value.
    case badField(String)
  }
}

/// The fields of an object.
struct Fields {
  private let value: JSONValue

  init(_ value: JSONValue) throws(Session.FormError) {
    guard case .object = value else { throw .notJSON }
    self.value = value
  }

  /// Nil where it is missing or null.
  func optional<T>(_ key: String, _ read: (JSONValue) -> T?) throws(Session.FormError) -> T? {
    switch value.field(key) {
    case nil, .null: return nil
    case let field?:
      guard let result = read(field) else { throw .badField(key) }
      return result
    }
  }

  func required<T>(_ key: String, _ read: (JSONValue) -> T?) throws(Session.FormError) -> T {
    guard let result = try optional(key, read) else { throw .badField(key) }
    return result
  }

  /// Empty where it is missing.
  func list<T>(
    _ key: String, _ read: (Fields) throws(Session.FormError) -> T
  ) throws(Session.FormError) -> [T] {
    var results: [T] = []
    for element in try optional(key, \.elements) ?? [] { results.append(try read(Fields(element))) }
    return results
  }

  func object<T>(
    _ key: String, _ read: (Fields) throws(Session.FormError) -> T
  ) throws(Session.FormError) -> T? {
    guard let field = try optional(key, { $0 }) else { return nil }
    return try read(Fields(field))
  }

  func flag(_ key: String) throws(Session.FormError) -> Bool { try optional(key, \.flag) ?? false }
}

// MARK: - Values

extension JSONValue {
  var count: UInt64? { integer.flatMap { UInt64(exactly: $0) } }

  /// Bounded, so that sums with the rules' lengths can't overflow.
  var wallTime: WallTime? {
    guard let integer, integer.magnitude < 1 << 62 else { return nil }
    return WallTime(nanoseconds: integer)
  }

  var mediaTime: MediaTime? {
    guard let integer, (0..<1 << 62).contains(integer) else { return nil }
    return MediaTime(nanoseconds: integer)
  }

  var lease: Session.Lease? { text.flatMap { Session.Lease($0) } }

  package var memberID: Session.Member.ID? { text.flatMap { Session.Member.ID($0) } }

  var displayName: Session.DisplayName? { text.flatMap { try? Session.DisplayName($0) } }

  package var tracks: Set<TrackKind>? { elements { $0.word(TrackKind.self) }.map { Set($0) } }

  /// Nil for what is no list, and where one of its elements can't be read.
  func elements<T>(_ read: (JSONValue) -> T?) -> [T]? {
    guard let elements else { return nil }
    let results = elements.compactMap(read)
    return results.count == elements.count ? results : nil
  }

  package func word<Word: RawRepresentable>(_: Word.Type) -> Word? where Word.RawValue == String {
    text.flatMap { Word(rawValue: $0) }
  }
}

extension JSONValue {
  init(_ time: WallTime?) { self = time.map { .integer($0.nanoseconds) } ?? .null }

  /// In whole nanoseconds, so that nothing is lost.
  init(exactly time: MediaTime?) { self = time.map { .integer($0.nanoseconds) } ?? .null }

  init(_ lease: Session.Lease) { self = .text(lease.description) }

  package init(_ id: Session.Member.ID) { self = .text(id.text) }

  package init(_ tracks: Set<TrackKind>) { self = .list(tracks.map(\.rawValue).sorted().map(JSONValue.text)) }

  init(count: UInt64) { self = .integer(Int64(clamping: count)) }

  /// The object's; none of what is no object.
  package var fields: [Field] {
    if case .object(let fields) = self { fields } else { [] }
  }

  /// An object with the fields of both.
  package static func + (left: JSONValue, right: JSONValue) -> JSONValue {
    .object(left.fields + right.fields)
  }

  /// Without the fields that say nothing.
  package static func compact(_ fields: [(String, JSONValue)]) -> JSONValue {
    .object(fields.filter { ![.null, .bool(false), .list([])].contains($0.1) }.map { Field($0.0, $0.1) })
  }
}
