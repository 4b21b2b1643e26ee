package import Foundation
import Glibc

/// A temporary folder, deleted on release.
package final class ScratchFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "holdfast-\(UUID().uuidString)")

  /// Traps if the folder cannot be created, so that a suite can create it in a property's initial value.
  package init() {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      fatalError("cannot create a scratch folder: \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  package func file(_ name: String) -> String { url.appendingPathComponent(name).path }

  package func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    return file(name)
  }

  package var recordings: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".mp4") }.sorted().map(file)
  }

  /// The first recording; throws if there is none.
  package func recording() throws -> String {
    guard let path = recordings.first else { throw TestFailure("there is no recording") }
    return path
  }

  /// What `holdfast verify` says of the recordings in the folder, by the journals in it; nil if all is well.
  package func complaint(_ options: [String] = []) throws -> String? {
    let result = try HoldfastProcess.run(
      ["verify"] + options + recordings, environment: ["XDG_STATE_HOME": file("state")])
    return result.status == 0 ? nil : result.output + result.errors
  }
}

/// Zero if there is no such file.
package func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
