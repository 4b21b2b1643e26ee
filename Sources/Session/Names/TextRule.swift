import HoldfastMediaModel

extension Session {
  /// What is wrong with a text that somebody gave.
  package struct TextFault: Hashable, Sendable {
    /// The raw value names the text for people.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
      case session = "the session's name"
      case member = "the name"
      case password = "the password"
      case event = "the event's name"
      case data = "the event's data"
      case request = "the request's id"
      case outputs = "the outputs"
      case reason = "the reason"
      case job = "the job's id"
      case broadcast = "the broadcast's id"
      case worker = "the worker's id"
    }

    package enum Problem: Hashable, Sendable {
      case empty
      case tooLong(limit: Int, unit: String)
      /// Says what it must not be or contain.
      case forbidden(String)
    }

    package let subject: Subject
    package let problem: Problem
  }
}

/// The length and the characters of a text. A text that is too long is refused, never cut: two could become equal.
struct TextRule {
  let subject: Session.TextFault.Subject
  let maxCharacters: Int
  /// A character may have any number of marks, so bytes are limited too.
  private var maxBytes: Int { 4 * maxCharacters }

  func check(_ text: String) throws(Session.Refusal) {
    guard text.contains(where: { !$0.isWhitespace }) else { throw fault(.empty) }
    guard text.count <= maxCharacters else {
      throw fault(.tooLong(limit: maxCharacters, unit: "characters"))
    }
    guard text.utf8.count <= maxBytes else { throw fault(.tooLong(limit: maxBytes, unit: "bytes")) }
    guard text.unicodeScalars.allSatisfy(\.canBeShown) else {
      throw fault(.forbidden("has unprintable characters"))
    }
  }

  func fault(_ problem: Session.TextFault.Problem) -> Session.Refusal {
    .badText(Session.TextFault(subject: subject, problem: problem))
  }
}
