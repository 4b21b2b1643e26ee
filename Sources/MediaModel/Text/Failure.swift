/// What failed, by its kind for programs, and in words for people with what to do about it.
package struct Failure<Kind: Hashable & Sendable>: Error, Hashable, Sendable, CustomStringConvertible {
  package let kind: Kind
  package let what: String
  package let hint: String

  package init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  package var description: String { "\(what); \(hint)" }
}

/// The result of `call`, whose error is told as another one.
package func mapError<Value: ~Copyable, From: Error, To: Error>(
  _ call: @autoclosure () throws(From) -> Value, _ change: (From) -> To
) throws(To) -> Value {
  do throws(From) { return try call() } catch { throw change(error) }
}

/// Why a value that a person gave can't be used, and what to do about it.
package struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
  package let what: String
  package let hint: String?

  package init(_ what: String, hint: String? = nil) {
    self.what = what
    self.hint = hint
  }

  package var description: String { hint.map { "\(what); \($0)" } ?? what }
}
