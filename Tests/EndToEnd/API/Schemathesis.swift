import Foundation
import TestSupport
import TestTraits
import Testing

/// A server's answers compared with its own description by schemathesis.
enum Schemathesis {
  struct Exchange {
    let method: String
    let path: String
    let status: Int
  }

  private static let program = Repository.path(".build/schemathesis/bin/schemathesis")

  /// Its requests, and how they were answered; throws what it complains of.
  static func exchanges(
    with port: UInt16, token: String?, excluding paths: [String], checks: [String] = [],
    in folder: ScratchFolder, askedBy file: String = #fileID
  ) throws -> [Exchange] {
    try #require(
      FileManager.default.isExecutableFile(atPath: program), "run .ci/install pypi: no schemathesis")
    let report = folder.file("report.har")
    let command =
      [
        "timeout", "550", program, "run", "http://127.0.0.1:\(port)/v1/openapi.json", "--max-examples",
        LongTests.run(in: file) ? "30" : "15", "--seed", "1", "--request-timeout", "10",
        "--generation-database", "none", "--no-color", "--report", "har", "--report-har-path", report,
      ] + (token.map { ["--header", "Authorization: Bearer \($0)"] } ?? [])
      + paths.flatMap { ["--exclude-path", $0] } + checks
    // It may leave files in its working directory.
    try Tool.run(["sh", "-c", "cd \"$0\" && exec \"$@\" 2>&1", folder.path] + command)
    let har = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
    let entries = ((har as? [String: Any])?["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    let exchanges = entries.compactMap { entry -> Exchange? in
      guard let request = entry["request"] as? [String: Any], let method = request["method"] as? String,
        let url = (request["url"] as? String).flatMap({ URL(string: $0) }),
        let status = (entry["response"] as? [String: Any])?["status"] as? Int
      else { return nil }
      return Exchange(method: method, path: url.path, status: status)
    }
    try #require(exchanges.count > 300, "it sent \(exchanges.count) requests only")
    return exchanges
  }
}
