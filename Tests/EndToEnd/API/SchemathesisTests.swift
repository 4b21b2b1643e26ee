import Foundation
import TestSupport
import TestTraits
import Testing

/// The API compared with its own description by schemathesis.
@Suite(.busyRealTime) struct SchemathesisTests {
  private let folder = ScratchFolder()

  enum Place: String, CaseIterable { case previewing, live, participant }

  /// Requests that end the program, or that never end.
  private static let excluded = ["/v1/stop", "/v1/events", "/v1/live.mp4", "/v1/preview.mjpeg"]

  private static let program = Repository.path(".build/schemathesis/bin/schemathesis")

  /// The findings of schemathesis, or nil. All exchanges are written to `report`.
  private func complaint(
    _ broadcast: ControlledBroadcast, token: String, excluding more: [String] = [], report: String
  ) throws -> String? {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program), "run .ci/install test: no schemathesis")
    let exclusions = (Self.excluded + more).flatMap { ["--exclude-path", $0] }
    let command = [
      "timeout", "100", Self.program, "run", "http://127.0.0.1:\(broadcast.port)/v1/openapi.json", "--header",
      "Authorization: Bearer \(token)", "--max-examples", "30", "--seed", "1", "--request-timeout", "10",
      "--generation-database", "none", "--no-color", "--report", "har", "--report-har-path", report,
    ]
    do {
      // It may leave files in its working directory.
      try Tool.run(["sh", "-c", "cd \"$0\" && exec \"$@\" 2>&1", folder.path] + command + exclusions)
      return nil
    } catch let failure as TestFailure {
      return failure.description
    }
  }

  private struct Exchange {
    let method: String
    let path: String
    let status: Int
  }

  private func exchanges(_ report: String) throws -> [Exchange] {
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

  @Test(arguments: Place.allCases)
  func `responses conform to the program's description`(place: Place) throws {
    let broadcast = try ControlledBroadcast(options: ["--preview", "--max-duration", "1h"], in: folder)
    let host = try broadcast.token()
    let client = try WireClient(port: broadcast.port)
    if place != .previewing {
      #expect(client.request("POST", "/v1/start", token: host)?.status == 200)
      try broadcast.waitUntilLive()
    }
    let report = folder.file("report.har")
    let complaint = try complaint(
      broadcast, token: place == .participant ? broadcast.token(role: "participant") : host,
      excluding: place == .live ? ["/v1/end"] : [], report: report)
    #expect(complaint == nil, "\(place): \(complaint ?? "")")
    let exchanges = try exchanges(report)
    #expect(exchanges.count > 300, "it sent \(exchanges.count) requests only")
    if place == .participant {
      let changes = exchanges.filter { $0.method != "GET" && $0.status != 405 && $0.status != 404 }
      #expect(changes.contains { $0.status == 403 })
      let heard = changes.filter { $0.status < 400 || $0.status >= 500 }
      #expect(heard.isEmpty, "\(heard)")
      let names = ["mute", "source", "bitrate", "interrupted", "backgrounded", "ended"]
      #expect(names.filter { !broadcast.subject.events($0).isEmpty } == [])
    }
    #expect(try WireClient(port: broadcast.port).request("GET", "/v1/me", token: host)?.status == 200)
    broadcast.subject.finish()
    #expect(broadcast.subject.status == 0, "\(broadcast.subject.log)")
  }
}
