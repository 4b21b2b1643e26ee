import HoldfastMediaModel

/// How an option's values are parsed and written.
struct ValueKind<Value: Sendable>: Sendable {
  let placeholder: String
  var form = OptionForm.text
  let read: @Sendable (String) throws(InvalidValue) -> Value
  /// Nil for a value that can't be written.
  var write: @Sendable (Value) -> String? = { _ in nil }
}

extension ValueKind {
  /// `what` and `hint` describe texts for which `parse` returns nil.
  init(
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

  static func optional<Wrapped>(_ kind: ValueKind<Wrapped>) -> ValueKind where Value == Wrapped? {
    ValueKind(
      placeholder: kind.placeholder, form: kind.form,
      read: { (text) throws(InvalidValue) in try kind.read(text) },
      write: { $0.flatMap(kind.write) })
  }
}

/// A field of an object in the configuration file, and what it sets.
struct ObjectSetting<Target>: Sendable {
  let key: String
  let form: OptionForm
  let apply: @Sendable (String, inout Target) throws(InvalidValue) -> Void

  init<Value>(
    _ key: String, _ property: any WritableKeyPath<Target, Value?> & Sendable, _ kind: ValueKind<Value>
  ) {
    self.key = key
    form = kind.form
    apply = { (text, target) throws(InvalidValue) in target[keyPath: property] = try kind.read(text) }
  }
}

/// The configuration file values that an option takes, and whether its flag takes a value.
enum OptionForm: Hashable, Sendable {
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
  var isList: Bool {
    switch self {
    case .outputs, .names, .tiles: true
    case .text, .textOrBool, .number, .toggle, .source, .object: false
    }
  }

  /// Whether `@FILE` and `env:NAME` stand for a value.
  var takesReferences: Bool {
    switch self {
    case .outputs, .source, .tiles: true
    case .text, .textOrBool, .number, .toggle, .names, .object: false
    }
  }
}
