package import HoldfastLifecycle

/// Why an attempt or a connection came to its end.
package struct SinkError: Error, Hashable, Sendable {
  package typealias Kind = OutputFailure

  package let kind: Kind
  /// What happened, for a person, without stream keys.
  package let what: String
  /// Where `moved` points to; nil for the same place again.
  package let location: String?

  package init(_ kind: Kind, _ what: String, location: String? = nil) {
    self.kind = kind
    self.what = what
    self.location = location
  }
}

extension SinkError: CustomStringConvertible {
  package var description: String { what }
}

extension SinkError {
  /// A server's words on one line, unless it repeats in them what is nobody's business.
  static func quoted(_ text: String, without secrets: [String?]) -> String {
    let repeatsOne = secrets.contains { secret in secret.map { $0.count > 2 && text.contains($0) } ?? false }
    guard !repeatsOne else { return "(words left out)" }
    return String(
      text.prefix(200).filter {
        !$0.isNewline && !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
      })
  }
}
