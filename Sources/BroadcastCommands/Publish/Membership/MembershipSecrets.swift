import HoldfastCommands
import HoldfastPlatform
import HoldfastSession

/// What opens the session to the box: read anew for each join, as it may be replaced meanwhile.
struct MembershipSecrets: Sendable {
  private let settings: MembershipSettings
  private let references: SecretReference

  init(_ settings: MembershipSettings, environment: [String: String]) {
    self.settings = settings
    references = SecretReference(environment: environment)
  }

  /// Nil where none was given.
  func token() throws(Refusal) -> String? {
    guard let (text, subject) = try read(settings.token, of: "--session-token", "a token") else { return nil }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Refusal(.usage, subject, "not one token", "write one there, as holdfast token has printed it")
    }
    return text
  }

  func password() throws(Refusal) -> String? {
    guard let (text, subject) = try read(settings.password, of: "--session-password", "a password") else {
      return nil
    }
    try allowed(
      Session.Password.check(text), for: subject,
      hint: "write the session's password there, 1 to 64 characters")
    return text
  }

  /// Before anything starts: later, a file that can't be used keeps the box out of the session.
  func check() throws(Refusal) {
    for (reference, flag) in [
      (settings.token, "--session-token"), (settings.password, "--session-password"),
    ] {
      if let reference { try Self.checkFile(of: reference, flag) }
    }
    _ = try token()
    _ = try password()
  }

  private func read(
    _ reference: String?, of flag: String, _ content: String
  ) throws(Refusal) -> (text: String, subject: String)? {
    guard let reference else { return nil }
    let subject = "\(flag) \(shown(reference))"
    let text = try references.find(reference, subject: flag, status: .usage, holding: content)
    guard !text.isEmpty else { throw Refusal(.usage, subject, "empty", "put \(content) there") }
    return (text, subject)
  }

  /// That nobody else can read it, if it is one.
  static func checkFile(of reference: String, _ flag: String) throws(Refusal) {
    guard reference.hasPrefix("@") else { return }
    let subject = "\(flag) \(shown(reference))"
    let access: FileAccess
    do throws(SystemError) {
      access = try FileDescriptor.openForReading(String(reference.dropFirst())).access()
    } catch {
      // What is missing, or may not be read, is said when it is read.
      guard error.isWrongKind else { return }
      throw Refusal(.usage, subject, "not a regular file", "use a file: it is read again for each join")
    }
    guard access.permissions & 0o007 == 0 else {
      throw Refusal(
        .refused, subject, "open to all users of this machine",
        "run chmod o= on it, and replace what is in it if anyone may have read it")
    }
  }
}
