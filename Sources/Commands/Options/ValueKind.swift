/// A value that can't be read: why, and what could be written instead.
struct WrongValue: Error, Hashable, Sendable {
  let why: String
  let remedy: String
}

/// How the values of an option are written.
struct ValueKind<Value: Sendable>: Sendable {
  /// What stands for the value in the help.
  let placeholder: String
  var form = OptionForm.text
  let read: @Sendable (String) throws(WrongValue) -> Value
  /// As it would be written; nil for a value that can't be.
  let write: @Sendable (Value) -> String?

  init(
    _ placeholder: String, form: OptionForm = .text,
    read: @escaping @Sendable (String) throws(WrongValue) -> Value,
    write: @escaping @Sendable (Value) -> String?
  ) {
    self.placeholder = placeholder
    self.form = form
    self.read = read
    self.write = write
  }

  /// `why` and `remedy` are for texts that `parse` returns nil for.
  init(
    _ placeholder: String, form: OptionForm = .text, why: String, remedy: String,
    parse: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String?
  ) {
    self.init(
      placeholder, form: form,
      read: { (text) throws(WrongValue) in
        guard let value = parse(text) else { throw WrongValue(why: why, remedy: remedy) }
        return value
      }, write: write)
  }

  /// As `kind`, for a setting that may have no value.
  static func optional<Wrapped>(_ kind: ValueKind<Wrapped>) -> ValueKind where Value == Wrapped? {
    ValueKind(
      kind.placeholder, form: kind.form,
      read: { (text) throws(WrongValue) in try kind.read(text) },
      write: { $0.flatMap(kind.write) })
  }
}

/// Which of a configuration file's values an option takes, and whether its flag stands alone.
enum OptionForm: Hashable, Sendable {
  case text
  /// Text or a number.
  case number
  /// True or false; the flag alone means true.
  case toggle
  /// Addresses, of which there may be many; their texts hold secrets.
  case outputs
  /// Names, of which there may be many.
  case names

  /// The option may be given many times; a later place then replaces all of an earlier one.
  var isList: Bool {
    switch self {
    case .outputs, .names: true
    case .text, .number, .toggle: false
    }
  }
}
