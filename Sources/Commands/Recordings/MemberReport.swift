import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import HoldfastRecording

/// `holdfast export --member NAME RECORDING`
struct MemberReport: Sendable {
  let member: String
  let path: String
  let journal: String?
  let asJSON: Bool
  private let environment: [String: String]

  init(_ member: String, _ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    guard !member.isEmpty else {
      throw Refusal(.usage, "--member", "no name", "write --member NAME RECORDING")
    }
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw Refusal(.usage, "--member", "more than one recording", "use only one")
    }
    (self.member, self.path, self.environment) = (member, path, environment)
    journal = try arguments.journal()
    asJSON = try arguments.isOn("--json")
  }

  func run() throws(Refusal) -> Int32 {
    do throws(RecordingFileError) {
      let found = try MemberAbsences(of: member, in: path, journal: journal, environment: environment)
      printOutput(asJSON ? found.json(path).description : found.table(path))
      return ExitStatus.success.rawValue
    } catch {
      throw Refusal(error)
    }
  }
}

extension MemberAbsences {
  func table(_ path: String) -> String {
    guard !absences.isEmpty else {
      let others =
        members.isEmpty ? "nor of any other member" : "which names " + members.joined(separator: ", ")
      return "\(path): no absence of \(member) is in the journal, \(others)"
    }
    let lost = absences.reduce(MediaTime.zero) { $0 + $1.gap.lost }
    let count = absences.count == 1 ? "once" : "\(absences.count) times"
    return (absences.map(\.line) + ["\(path): \(member) was away \(count), \(lost) in all"])
      .joined(separator: "\n")
  }

  func json(_ path: String) -> JSONValue {
    [
      "path": .text(path), "journal": .text(journal), "member": .text(member),
      "members": .list(members.map(JSONValue.text)),
      "gaps": .list(
        absences.map { absence in
          [
            "cause": .text(absence.gap.cause.rawValue), "wallFrom": .text(absence.from.rfc3339Nanoseconds),
            "wallTo": absence.isOver ? .text(absence.to.rfc3339Nanoseconds) : .null,
            "media": JSONValue(absence.gap.mediaAt), "at": JSONValue(absence.at),
            "lostVideo": JSONValue(absence.gap.lostVideo), "lostAudio": JSONValue(absence.gap.lostAudio),
          ]
        }),
    ]
  }
}

extension MemberAbsences.Absence {
  fileprivate var line: String {
    let until = isOver ? "to \(to.rfc3339)" : "on, with no end in the journal"
    let place = at.map { ", at \($0) in the file" } ?? ", not in this file"
    return "from \(from.rfc3339) \(until), media \(gap.mediaAt)\(place), \(gap.lost) lost"
  }
}
