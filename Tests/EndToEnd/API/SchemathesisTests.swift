import TestSupport
import TestTraits
import Testing

/// The API compared with its own description by schemathesis.
@Suite(.busyRealTime) struct SchemathesisTests {
  private let folder = ScratchFolder()

  enum Place: String, CaseIterable { case previewing, live, participant }

  /// Requests that end the program, or that never end.
  private static let excluded = ["/v1/stop", "/v1/events", "/v1/live.mp4", "/v1/preview.mjpeg"]

  @Test(arguments: LongTests.run() ? Place.allCases : [.live])
  func `responses conform to the program's description`(place: Place) throws {
    let broadcast = try ControlledBroadcast(options: ["--preview", "--max-duration", "1h"], in: folder)
    if place != .previewing {
      #expect(try broadcast.send("POST", "/v1/start").status == 200)
      #expect(broadcast.subject.reports("live"), "\(broadcast.subject.log)")
    }
    let exchanges = try Schemathesis.exchanges(
      with: broadcast.port,
      token: place == .participant ? broadcast.token("Anna", "participant") : broadcast.host,
      excluding: Self.excluded + (place == .live ? ["/v1/end"] : []), in: folder)
    if place == .participant {
      let changes = exchanges.filter { $0.method != "GET" && $0.status != 405 && $0.status != 404 }
      #expect(changes.contains { $0.status == 403 })
      let heard = changes.filter { $0.status < 400 || $0.status >= 500 }
      #expect(heard.isEmpty, "\(heard)")
      let names = ["mute", "source", "bitrate", "interrupted", "backgrounded", "ended"]
      #expect(names.filter { !broadcast.subject.events($0).isEmpty } == [])
    }
    #expect(try broadcast.send("GET", "/v1/me").status == 200)
    broadcast.subject.finish()
    #expect(broadcast.subject.status == 0, "\(broadcast.subject.log)")
  }

  /// Without a secret, as the local user who may do everything. Its rules are stricter than a schema says, so data
  /// that a schema allows may be refused.
  @Test func `responses of a hub conform to its description`() throws {
    let hub = try HubProcess(in: folder, options: ["--media-port", "0"])
    let exchanges = try Schemathesis.exchanges(
      with: hub.port, token: nil, excluding: ["/v1/sessions/{name}/events", "/v1/sessions/{name}/live"],
      checks: ["--exclude-checks", "negative_data_rejection,positive_data_acceptance"], in: folder)
    #expect(exchanges.contains { $0.method == "POST" && $0.status == 200 } && hub.stop().status == 0)
  }
}
