package import HoldfastMediaModel
package import HoldfastPlatform

/// Why the program refuses a request, and what to do about it.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  package let status: ExitStatus
  /// The option, file or other part that it is about.
  package let subject: String
  package let what: String
  package let hint: String?

  package init(_ status: ExitStatus, _ subject: String, _ what: String, _ hint: String?) {
    self.status = status
    self.subject = subject
    self.what = what
    self.hint = hint
  }

  /// `hint` is for an error without one.
  package init(_ status: ExitStatus, _ subject: String, _ error: InvalidValue, hint: String? = nil) {
    self.init(status, subject, error.what, error.hint ?? hint)
  }

  package init(
    _ status: ExitStatus, unknown subject: String, name: String, kind: String, among names: [String],
    see: String
  ) {
    let nearest = NearestMatch.find(name, among: names)
    self.init(status, subject, "no such \(kind)", nearest.map { "did you mean \($0)?" } ?? "run \(see)")
  }

  package static func system(_ subject: String, _ what: String) -> Refusal {
    Refusal(.system, subject, what, "check whether the machine is out of memory, threads or files")
  }

  /// A refusal stays as it is.
  package static func system(_ subject: String, _ error: any Error) -> Refusal {
    error as? Refusal ?? system(subject, "\(error)")
  }

  package init(_ error: UnixListener.ClaimError, claiming name: String) {
    switch error {
    case .taken(_, let process):
      let number = process.map { ", pid \($0)" } ?? ""
      self.init(
        .refused, "--name \(name)", "another holdfast of this name is running\(number)",
        "choose another name, or stop it with holdfast ctl --name \(name) stop")
    case .noSocket(let path):
      self.init(.system, path, "a file is in the place of the control socket", "remove it")
    case .system(let error):
      self.init(
        .system, "control socket", "\(error)",
        "set XDG_RUNTIME_DIR to a writable folder of this user")
    }
  }

  package var description: String { "\(subject): \(what)" + (hint.map { "; \($0)" } ?? "") }
}

/// The result of `make`; an invalid value is refused with `subject`. `hint` is for an error without one.
package func valid<Value>(
  _ make: @autoclosure () throws(InvalidValue) -> Value, for subject: String, _ status: ExitStatus = .usage,
  hint: String? = nil
) throws(Refusal) -> Value {
  try mapError(make()) { (error: InvalidValue) in Refusal(status, subject, error, hint: hint) }
}

/// `text` in a form for people: one line of at most 80 characters.
package func shown(_ text: String) -> String {
  let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  let written = isPlain ? text : String(reflecting: text)
  return written.count <= 80 ? written : written.prefix(79) + "…"
}
