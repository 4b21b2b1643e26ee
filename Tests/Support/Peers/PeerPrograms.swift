import Foundation
import Glibc

package func peerProgram(_ name: String) -> String { Repository.path("Tests/Peers/Programs/" + name) }

func lines(ofFile path: String) -> [String] {
  let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  return text.split(separator: "\n").map(String.init)
}

/// As the kernel reports it: `T` is stopped, `Z` has ended; nil if there is no such process.
func state(ofProcess identifier: pid_t) -> Character? {
  lines(ofFile: "/proc/\(identifier)/stat").first?.split(separator: ")").last?.first { $0 != " " }
}

/// A preload library compiled from a C file in Tests/Peers, cached beside the test executable.
func preloadLibrary(_ name: String) throws -> String {
  let source = peerProgram(name + ".c")
  let library = HoldfastProcess.program.deletingLastPathComponent().path + "/\(name).so"
  func changed(_ path: String) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }
  if let made = changed(library), let written = changed(source), made > written { return library }
  // Renamed once complete, since concurrent tests may use it.
  let unfinished = library + "-\(UUID().uuidString)"
  try Tool.run(["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", unfinished, source])
  rename(unfinished, library)
  return library
}

/// Launchers that run a program on a terminal of its own, or without one.
package enum TestTerminal {
  /// Hangs up on SIGUSR1 and forwards all other signals.
  package static var new: [String] { [peerProgram("on-terminal"), "new"] }
  package static var none: [String] { [peerProgram("on-terminal"), "none"] }
}
