internal import Foundation
internal import Glibc

/// The path of a program in Tests/Peers.
package func peerProgram(_ name: String) -> String {
  Repository.path("Tests/Peers/Programs/" + name)
}

/// The lines of a file; none where it does not exist.
func lines(ofFile path: String) -> [String] {
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  return text.split(separator: "\n").map(String.init)
}

/// A library for `LD_PRELOAD` made of a C file in Tests/Peers, compiled once beside the tests' own executable.
func preloadLibrary(_ name: String) throws -> String {
  let source = peerProgram(name + ".c")
  let library = HoldfastProcess.program.deletingLastPathComponent().path + "/\(name).so"
  func changed(_ path: String) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }
  if let made = changed(library), let written = changed(source), made > written { return library }
  // Renamed when whole: other tests may look for it at the same time.
  let unfinished = library + "-\(UUID().uuidString)"
  try Tool.run(["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", unfinished, source])
  rename(unfinished, library)
  return library
}

/// What goes in front of a program that is to run on a terminal of its own, or on none.
package enum TestTerminal {
  /// It hangs up when the launcher gets SIGUSR1; other signals are passed on.
  package static var new: [String] { [peerProgram("on-terminal"), "new"] }
  /// As a service's.
  package static var none: [String] { [peerProgram("on-terminal"), "none"] }
}
