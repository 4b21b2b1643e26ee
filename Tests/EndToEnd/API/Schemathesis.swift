import Foundation
import TestSupport
import Testing

/// A server's answers compared with its own description by schemathesis.
struct Schemathesis {
  /// All exchanges of a run are written here.
  private let report: String
  private let folder: ScratchFolder

  private static let program = Repository.path(".build/schemathesis/bin/schemathesis")

  init(in folder: ScratchFolder) {
    self.folder = folder
    report = folder.file("report.har")
  }

  struct Exchange {
    let method: String
    let path: String
    let status: Int
  }

  /// What it complains of, or nil.
  func complaint(port: UInt16, token: String?, excluding paths: [String], checks: [String] = []) throws
    -> String?
  {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program), "run .ci/install pypi: no schemathesis")
    let command =
      [
        "timeout", "550", Self.program, "run", "http://127.0.0.1:\(port)/v1/openapi.json", "--max-examples",
        "30",
        "--seed", "1", "--request-timeout", "10", "--generation-database", "none", "--no-color", "--report",
        "har", "--report-har-path", report,
      ]
      + (token.map { ["--header", "Authorization: Bearer \($0)"] } ?? [])
      + paths.flatMap { ["--exclude-path", $0] } + checks
    do {
      // It may leave files in its working directory.
      try Tool.run(["sh", "-c", "cd \"$0\" && exec \"$@\" 2>&1", folder.path] + command)
      return nil
    } catch let failure as TestFailure {
      return failure.description
    }
  }

  /// Those of the last run.
  func exchanges() throws -> [Exchange] {
    let har = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
    let entries = ((har as? [String: Any])?["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    return entries.compactMap { entry in
      guard let request = entry["request"] as? [String: Any], let method = request["method"] as? String,
        let url = (request["url"] as? String).flatMap({ URL(string: $0) }),
        let status = (entry["response"] as? [String: Any])?["status"] as? Int
      else { return nil }
      return Exchange(method: method, path: url.path, status: status)
    }
  }
}
