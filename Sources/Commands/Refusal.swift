internal import HoldfastMediaModel

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
