import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub
@testable import HoldfastTokens

@Suite struct EventsTests {
  private let hub: TestHub
  private let anna: TestHub.Member

  init() throws {
    hub = try TestHub()
    anna = try hub.join("Anna", .person, token: hub.token(.host))
  }

  private func follow(_ member: TestHub.Member, after last: String? = nil) throws -> EventReading {
    try EventReading(at: hub, token: member.token, lease: member.lease, after: last)
  }

  /// By a token alone.
  private func follow(token: String?) throws -> EventReading {
    let events = try EventReading(at: hub, token: token)
    #expect(try events.next().name == "reset")
    return events
  }

  @Test func `a stream without a lease ends with its token's place in the session`() throws {
    let max = try hub.join("Max", token: hub.token(.host, name: "Max"))
    let left = try hub.join("Left", token: hub.token(.participant, name: "Left"))
    let removed = try follow(token: max.token)
    let gone = try follow(token: left.token)
    _ = try hub.command(["command": "remove", "target": .text(max.id)], by: anna)
    #expect(try removed.next().name == "removed" && removed.isOver())
    _ = try hub.command(["command": "leave"], by: left)
    #expect(gone.isOver())
  }

  @Test func `the metrics count readers, and the members of what they read`() throws {
    let hub = try TestHub(tokens: false)
    let anna = try hub.join("Anna", .person)
    _ = try hub.join("Max")
    let events = try EventReading(at: hub, token: nil, lease: anna.lease)
    #expect(try events.next().name == "reset")
    let page = try #require(hub.open("/metrics", token: nil).response(within: 30))
    let lines = page.text.split(separator: "\n")
    for line in ["sessions 1", "members 2"] { #expect(lines.contains("holdfast_hub_read_\(line)")) }
    #expect(lines.contains("holdfast_hub_event_streams 1"))
  }

  @Test(arguments: [Role.host, .operator, .worker])
  func `a stream without a lease ends with the session`(role: Role) throws {
    let events = try follow(token: hub.token(role, name: "reader"))
    _ = try hub.command(["command": "end"], by: anna)
    #expect(try events.next().name == "ended" && events.isOver())
  }

  @Test func `a stream without a lease ends with its token`() throws {
    let token = try hub.token(.host, name: "reader")
    let events = try follow(token: token)
    _ = try hub.send("POST", "/v1/revocations", ["token": .text(token)], token: anna.token)
    #expect(try events.next().name == "tokenRevoked" && events.isOver())
  }

  @Test func `a reader begins with the state, and sees what happens in order`() throws {
    let events = try follow(anna)
    #expect(try events.next().name == "reset")
    for command in ["lock", "lock-screens", "unlock"] {
      _ = try hub.command(["command": .text(command)], by: anna)
    }
    let names = try (1...3).map { _ in try events.next().name }
    #expect(names == ["locked", "screensLocked", "unlocked"])
  }

  @Test func `a reader that comes again goes on where it was`() throws {
    let first = try follow(anna)
    let last = try first.next().id
    _ = try hub.command(["command": "lock"], by: anna)
    _ = try hub.command(["command": "unlock"], by: anna)
    let again = try follow(anna, after: last)
    #expect(try again.next().name == "locked")
    #expect(try again.next().name == "unlocked")
  }

  @Test(arguments: ["1-999", "nonsense", "", "0-0"])
  func `a reader that knows too little gets the state`(last: String) throws {
    let reset = try follow(anna, after: last).next()
    #expect(reset.name == "reset" && reset.data.contains(anna.id))
  }

  @Test func `a store that begins anew ends the stream, and the next one begins with the state`() throws {
    let events = try follow(anna)
    let last = try events.next().id
    hub.store.pass(.seconds(1))
    hub.store.failOver()
    let again = try hub.join("Anna", .person, token: anna.token)
    #expect(events.isOver())
    #expect(try follow(again, after: last).next().name == "reset")
  }

  @Test func `a removed member's stream ends with its removal`() throws {
    let max = try hub.join("Max", token: hub.token(.participant, name: "Max"))
    let events = try follow(max)
    _ = try events.next()
    _ = try hub.command(["command": "remove", "target": .text(max.id)], by: anna)
    #expect(try events.next().name == "removed")
    #expect(try events.next().name == "left")
    #expect(events.isOver())
  }

  @Test func `a superseded member's stream ends`() throws {
    let events = try follow(anna)
    _ = try events.next()
    _ = try hub.join("Anna", .person, token: anna.token)
    #expect(try events.next().name == "joined")
    #expect(events.isOver())
  }

  @Test func `a hub that stops says so`() throws {
    let events = try follow(anna)
    _ = try events.next()
    hub.server.stop()
    let bye = try events.next()
    #expect(bye.name == "bye" && bye.data == #"{"retryAfter":1.0}"#)
    #expect(events.isOver())
  }
}

/// Server-sent events on a connection.
final class EventReading {
  let client: WireClient
  private var taken = 0

  struct Event {
    let id: String
    let name: String
    let data: String
  }

  /// Those of the session, after the event of the id `last`.
  init(at hub: TestHub, token: String?, lease: String? = nil, after last: String? = nil) throws {
    client = try hub.open("/v1/sessions/Hall/events", token: token, lease: lease, after: last)
  }

  func next() throws -> Event {
    while true {
      let text = client.text
      let body = text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
      let frames = body.components(separatedBy: "\n\n").dropLast().map(Self.event).compactMap { $0 }
      if frames.count > taken {
        taken += 1
        return frames[taken - 1]
      }
      guard client.receive(until: .now + .seconds(30)) else {
        throw TestFailure("no event in \(text.suffix(500))")
      }
    }
  }

  /// Whether a text comes before a generous limit.
  func waits(for text: String) -> Bool {
    while !client.text.contains(text) {
      guard client.receive(until: generousDeadline) else { return false }
    }
    return true
  }

  func isOver() -> Bool {
    while client.receive(until: .now + .seconds(30)) {}
    return client.isOver
  }

  private static func event(_ frame: String) -> Event? {
    var fields: [String: String] = [:]
    for line in frame.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    return fields["data"].map { Event(id: fields["id"] ?? "", name: fields["event"] ?? "message", data: $0) }
  }
}
