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
