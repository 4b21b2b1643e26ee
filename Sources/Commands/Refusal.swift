import HoldfastMediaModel
import HoldfastPlatform

/// Why the program refuses a request, and the remedy.
struct Refusal: Error, Hashable, Sendable {
  let status: ExitStatus
  let what: String
  let why: String
  let remedy: String

  init(_ status: ExitStatus, _ what: String, _ why: String, _ remedy: String) {
    self.status = status
    self.what = what
    self.why = why
    self.remedy = remedy
  }

  init(
    _ status: ExitStatus, unknown what: String, name: String, kind: String, among names: [String], see: String
  ) {
    let nearest = NearestMatch.find(name, among: names)
    self.init(status, what, "no such \(kind)", nearest.map { "did you mean \($0)?" } ?? "see \(see)")
  }

  static func system(_ what: String, _ why: String) -> Refusal {
    Refusal(.system, what, why, "see whether the machine is out of memory, threads or files")
  }

  init(_ error: UnixListener.ClaimError, claiming name: String) {
    switch error {
    case .taken(_, let process):
      let number = process.map { ", pid \($0)" } ?? ""
      self.init(
        .refused, "--name \(name)", "another holdfast of this name is running\(number)",
        "choose another name, or end that one with holdfast ctl --name \(name) stop")
    case .noSocket(let path):
      self.init(.system, path, "it is in the way of the control socket", "take the file away")
    case .system(let error):
      self.init(
        .system, "control socket", "\(error)",
        "set XDG_RUNTIME_DIR to a folder of this user that can be written")
    }
  }
}

extension Refusal: CustomStringConvertible {
  var description: String { "\(what): \(why); \(remedy)" }
}

/// `text` in a form for people: one line of at most 80 characters.
func shown(_ text: String) -> String {
  let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  let written = isPlain ? text : String(reflecting: text)
  return written.count <= 80 ? written : written.prefix(79) + "…"
}
