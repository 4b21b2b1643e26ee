internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Why the program does not do what it was asked for: what, why, and what to do about it.
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

  /// A name that there is not, with the nearest one that there is.
  init(
    _ status: ExitStatus, unknown what: String, name: String, kind: String, among names: [String], see: String
  ) {
    let nearest = NearestMatch.find(name, among: names)
    self.init(status, what, "no such \(kind)", nearest.map { "did you mean \($0)?" } ?? "see \(see)")
  }

  /// The operating system has refused something.
  static func system(_ what: String, _ why: String) -> Refusal {
    Refusal(.system, what, why, "see whether the machine is out of memory, threads or files")
  }

  /// Why there can be no control socket for a broadcast of this name.
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

/// What a person wrote, in a form that stays on one line.
func shown(_ text: String) -> String {
  let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  let written = isPlain ? text : String(reflecting: text)
  return written.count <= 80 ? written : written.prefix(79) + "…"
}
