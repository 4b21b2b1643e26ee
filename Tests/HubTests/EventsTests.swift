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
  private func follow(_ hub: TestHub, _ member: TestHub.Member, after last: String? = nil) throws
    -> EventReading
  {
    let client = try WireClient(port: hub.listener.port)
    var head =
      "GET /v1/sessions/Hall/events HTTP/1.0\r\nHost: localhost\r\nHoldfast-Lease: \(member.lease)\r\n"
    if let token = member.token { head += "Authorization: Bearer \(token)\r\n" }
    if let last { head += "Last-Event-ID: \(last)\r\n" }
    client.send(head + "\r\n")
    return EventReading(client: client)
  }

  /// By a token alone.
  private func follow(_ hub: TestHub, token: String) throws -> EventReading {
    let client = try WireClient(port: hub.listener.port)
    client.send(
      "GET /v1/sessions/Hall/events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
    let events = EventReading(client: client)
    #expect(try events.next().name == "reset")
    return events
  }

  @Test func `a stream without a lease ends with its token's place in the session`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", .person, token: hub.token(.host))
    let max = try hub.join("Max", token: hub.token(.host, name: "Max"))
    let left = try hub.join("Left", token: hub.token(.participant, name: "Left"))
    let removed = try follow(hub, token: #require(max.token))
    let gone = try follow(hub, token: #require(left.token))
    _ = try hub.command(["command": "remove", "target": .text(max.id)], by: anna)
    #expect(try removed.next().name == "removed" && removed.isOver())
    _ = try hub.command(["command": "leave"], by: left)
    #expect(gone.isOver())
  }

  @Test func `the metrics count readers, and the members of what they read`() throws {
    let hub = try TestHub(tokens: false)
    let anna = try hub.join("Anna", .person)
    _ = try hub.join("Max")
    let events = try follow(hub, anna)
    #expect(try events.next().name == "reset")
    let client = try WireClient(port: hub.listener.port)
    client.send("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")
    let lines = try #require(client.response(within: 30)).body.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    for line in ["sessions 1", "members 2"] { #expect(lines.contains("holdfast_hub_read_\(line)")) }
    #expect(lines.contains("holdfast_hub_event_streams 1"))
  }

  @Test(arguments: [Role.host, .operator, .worker])
  func `a stream without a lease ends with the session`(role: Role) throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", .person, token: hub.token(.host))
    let events = try follow(hub, token: hub.token(role, name: "reader"))
    _ = try hub.command(["command": "end"], by: anna)
    #expect(try events.next().name == "ended" && events.isOver())
  }

  @Test func `a stream without a lease ends with its token`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", .person, token: hub.token(.host))
    let token = try hub.token(.host, name: "reader")
    let events = try follow(hub, token: token)
    _ = try hub.send("POST", "/v1/revocations", ["token": .text(token)], token: anna.token)
    #expect(try events.next().name == "tokenRevoked" && events.isOver())
  }

  @Test func `a reader begins with the state, and sees what happens in order`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let events = try follow(hub, anna)
    #expect(try events.next().name == "reset")
    for command in ["lock", "lock-screens", "unlock"] {
      _ = try hub.command(["command": .text(command)], by: anna)
    }
    let names = try (1...3).map { _ in try events.next().name }
    #expect(names == ["locked", "screensLocked", "unlocked"])
  }

  @Test func `a reader that comes again goes on where it was`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let first = try follow(hub, anna)
    let last = try first.next().id
    _ = try hub.command(["command": "lock"], by: anna)
    _ = try hub.command(["command": "unlock"], by: anna)
    let again = try follow(hub, anna, after: last)
    #expect(try again.next().name == "locked")
    #expect(try again.next().name == "unlocked")
  }

  @Test(arguments: ["1-999", "nonsense", "", "0-0"])
  func `a reader that knows too little gets the state`(last: String) throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let reset = try follow(hub, anna, after: last).next()
    #expect(reset.name == "reset" && reset.data.contains(anna.id))
  }

  @Test func `a store that begins anew ends the stream, and the next one begins with the state`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let events = try follow(hub, anna)
    let last = try events.next().id
    hub.store.pass(.seconds(1))
    hub.store.failOver()
    let again = try hub.join("Anna", token: anna.token)
    #expect(events.isOver())
    #expect(try follow(hub, again, after: last).next().name == "reset")
  }

  @Test func `a removed member's stream ends with its removal`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let max = try hub.join("Max", token: hub.token(.participant, name: "Max"))
    let events = try follow(hub, max)
    _ = try events.next()
    _ = try hub.command(["command": "remove", "target": .text(max.id)], by: anna)
    #expect(try events.next().name == "removed")
    #expect(try events.next().name == "left")
    #expect(events.isOver())
  }

  @Test func `a superseded member's stream ends`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let events = try follow(hub, anna)
    _ = try events.next()
    _ = try hub.join("Anna", token: anna.token)
    #expect(try events.next().name == "joined")
    #expect(events.isOver())
  }

  @Test func `a hub that stops says so`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let events = try follow(hub, anna)
    _ = try events.next()
    hub.server.stop()
    let bye = try events.next()
    #expect(bye.name == "bye" && bye.data == #"{"retryAfter":1.0}"#)
    #expect(events.isOver())
  }
}

/// Server-sent events on a connection.
final class EventReading {
  private let client: WireClient
  private var taken = 0

  struct Event {
    let id: String
    let name: String
    let data: String
  }

  init(client: WireClient) { self.client = client }

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
