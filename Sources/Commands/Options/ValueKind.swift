package import HoldfastMediaModel

/// How an option's values are parsed and written.
package struct ValueKind<Value: Sendable>: Sendable {
  package let placeholder: String
  package let form: OptionForm
  package let read: @Sendable (String) throws(InvalidValue) -> Value
  /// Nil for a value that can't be written.
  package let write: @Sendable (Value) -> String?

  package init(
    placeholder: String, form: OptionForm = .text,
    read: @escaping @Sendable (String) throws(InvalidValue) -> Value,
    write: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) {
    self.placeholder = placeholder
    self.form = form
    self.read = read
    self.write = write
  }
}

extension ValueKind {
  /// `what` and `hint` describe texts for which `parse` returns nil.
  package init(
    _ placeholder: String, form: OptionForm = .text, what: String, hint: String,
    parse: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) {
    self.init(
      placeholder: placeholder, form: form,
      read: { (text) throws(InvalidValue) in
        guard let value = parse(text) else { throw InvalidValue(what, hint: hint) }
        return value
      }, write: write)
  }

  package static func optional<Wrapped>(_ kind: ValueKind<Wrapped>) -> ValueKind where Value == Wrapped? {
    ValueKind(
      placeholder: kind.placeholder, form: kind.form,
      read: { (text) throws(InvalidValue) in try kind.read(text) },
      write: { $0.flatMap(kind.write) })
  }
}

/// A field of an object in the configuration file, and what it sets.
package struct ObjectSetting<Target>: Sendable {
  package let key: String
  package let form: OptionForm
  package let apply: @Sendable (String, inout Target) throws(InvalidValue) -> Void

  package init<Value>(
    _ key: String, _ property: any WritableKeyPath<Target, Value?> & Sendable, _ kind: ValueKind<Value>
  ) {
    self.key = key
    form = kind.form
    apply = { (text, target) throws(InvalidValue) in target[keyPath: property] = try kind.read(text) }
  }
}

/// The configuration file values that an option takes, and whether its flag takes a value.
package enum OptionForm: Hashable, Sendable {
  case text
  case textOrBool
  case number
  /// The flag alone means true.
  case toggle
  /// Any number of addresses, whose texts hold secrets.
  case outputs
  /// A source, which may be an address that holds secrets.
  case source
  /// Any number of tiles, NAME=SOURCE, whose addresses may hold secrets.
  case tiles
  case names
  case object

  /// The option may be repeated; a later origin replaces all values of an earlier one.
  package var isList: Bool {
    switch self {
    case .outputs, .names, .tiles: true
    case .text, .textOrBool, .number, .toggle, .source, .object: false
    }
  }

  /// Whether `@FILE` and `env:NAME` stand for a value.
  package var takesReferences: Bool {
    switch self {
    case .outputs, .source, .tiles: true
    case .text, .textOrBool, .number, .toggle, .names, .object: false
    }
  }
}

extension InvalidValue {
  package static func unknownName(_ text: String, among names: [String]) -> InvalidValue {
    InvalidValue(noneOf: names, nearest: NearestMatch.find(text, among: names))
  }

  package init(noneOf names: [String], nearest: String?) {
    self.init(
      "not one of " + names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""),
      hint: nearest.map { "did you mean \($0)?" } ?? "choose one of them")
  }
}
