import Foundation
import HoldfastMediaModel
import TestSupport

/// A box in the session, with a folder, a state and a token of its own.
final class SessionBox {
  let name: String
  let folder = ScratchFolder()
  private(set) var subject: HoldfastSubject

  init(_ name: String, at address: String, token: String?) throws {
    self.name = name
    var options = ["--name", name, "--session", address, "--as", name, "--duration", "20m"]
    if let token { options += ["--session-token", "@" + (try folder.writeSecret(token))] }
    subject = try HoldfastSubject(options: options, in: folder)
  }

  func killAndRestart() throws {
    subject.kill()
    subject = try subject.restarted()
  }

  /// The states of the output at the session, oldest first.
  var sessionStates: [String] {
    subject.events("output").filter { $0["id"] as? String == "session" }.compactMap { $0["state"] as? String }
  }

  /// Seconds since 1970 of the events of that name, oldest first.
  func times(of event: String, where isMeant: ([String: Any]) -> Bool = { _ in true }) -> [Double] {
    subject.events(event).filter(isMeant).compactMap { wallSeconds($0["at"]) }
  }
}

extension ScratchFolder {
  /// Writes a file that only its owner may read; returns its path.
  func writeSecret(_ text: String) throws -> String {
    let path = try write(text, to: "token")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }
}
