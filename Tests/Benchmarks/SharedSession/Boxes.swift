import Foundation
import HoldfastMediaModel
import TestSupport

/// A box in the session, with a folder, a state and a token of its own.
final class Box {
  let name: String
  let folder = ScratchFolder()
  private(set) var subject: HoldfastSubject

  init(_ name: String, at address: String, token: String?) throws {
    self.name = name
    var options = ["--name", name, "--session", address, "--as", name, "--duration", "20m"]
    if let token {
      let path = try folder.write(token, to: "token")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      options += ["--session-token", "@" + path]
    }
    subject = try HoldfastSubject(options: options, in: folder)
  }

  func killAndRestart() throws {
    subject.kill()
    subject = try subject.restarted()
  }

  /// Reports of the output at the session.
  func sessionOutput(_ state: String) -> Int {
    subject.events("output").count { $0["id"] as? String == "session" && $0["state"] as? String == state }
  }

  /// Seconds since 1970 of the events of that name, oldest first.
  func times(of event: String, where isMeant: ([String: Any]) -> Bool = { _ in true }) -> [Double] {
    subject.events(event).filter(isMeant).compactMap { wallSeconds($0["at"]) }
  }

  /// The last line that `verify` says of each recording; nil if all is well.
  func complaint() throws -> String? {
    let result = try HoldfastProcess.run(
      ["verify"] + folder.recordings, environment: ["XDG_STATE_HOME": folder.file("state")])
    return result.status == 0 ? nil : result.output
  }
}

/// What a run has shown; a check that fails does not end it.
struct Findings {
  private(set) var failures = 0

  mutating func check(_ isTrue: Bool, _ what: String, _ detail: @autoclosure () -> String = "") {
    say((isTrue ? "  ok      " : "  FAILED  ") + what)
    guard !isTrue else { return }
    failures += 1
    let detail = detail()
    if !detail.isEmpty { say(detail) }
  }
}
