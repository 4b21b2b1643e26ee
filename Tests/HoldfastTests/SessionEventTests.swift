import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import Testing

@testable import Holdfast

private typealias Session = HoldfastSession.Session

/// A hub's events, as the library reads them.
@Suite struct SessionEventTests {
  private let id = "0123456789abcdef"
  private let end = HoldfastMediaModel.WallTime(nanoseconds: 1_800_000_000_000_000_000)

  private func kind(_ event: Session.Event) throws -> SessionEvent.Kind {
    let text = event.json.description
    return kind(event.name, try JSONValue(reading: Array(text.utf8).span))
  }

  private func kind(_ name: String, _ data: JSONValue) -> SessionEvent.Kind {
    SessionEvent.Kind(HubEvent(id: nil, name: name, data: data))
  }

  @Test func `each event of a hub is read as what it is`() throws {
    let member = try #require(Session.Member.ID(id))
    let lease = Session.Lease(epoch: 1, sequence: 2)
    let name = try Session.DisplayName("Anna")
    let tracks: Set<HoldfastMediaModel.TrackKind> = [.video]
    let custom = try Session.CustomEvent(name: "bell", data: ["times": .integer(2)])
    let pairs: [(Session.Event, SessionEvent.Kind)] = [
      (.joined(member, name, .box, lease, returned: true), .joined(id, name: "Anna", .box, returned: true)),
      (.left(member, .expired, lease), .left(id, .expired)),
      (.renamed(member, name), .renamed(id, to: "Anna")),
      (.hostChanged(member, .away), .hostChanged(id, .away)),
      (.hostChanged(nil, .left), .hostChanged(nil, .left)),
      (.managerMade(member), .managerMade(id)), (.managerRevoked(member), .managerRevoked(id)),
      (.removed(member), .removed(id)), (.readmitted(member), .readmitted(id)),
      (.muted(member, tracks, .oneself), .muted(id, [.video], by: .oneself)),
      (.unmuted(member, tracks, .others), .unmuted(id, [.video], by: .others)),
      (.unmuteAsked(member, tracks), .unmuteAsked(id, [.video])),
      (.unmuteDeclined(member), .unmuteDeclined(id)), (.locked, .locked), (.unlocked, .unlocked),
      (.screensLocked, .screensLocked), (.screensUnlocked, .screensUnlocked),
      (.passwordChanged(true), .passwordChanged(isSet: true)), (.ready(member), .ready(id)),
      (.event(nil, custom), .event(from: nil, name: "bell", data: #"{"times":2}"#)),
      (.reported(member, .condition(.live)), .condition(id, .live)),
      (.reported(member, .lacking(tracks)), .lacking(id, [.video])),
      (.reported(member, .muted(tracks)), .reportedMuted(id, [.video])),
      (.reported(member, .muted([])), .reportedMuted(id, [])),
      (.reported(member, .silent(true)), .silent(id, true)),
      (.reported(member, .sharesScreen(false)), .sharesScreen(id, false)),
      (.reported(member, .givesSmall(true)), .givesSmall(id, true)),
      (.onAir(job: "1", .trouble, reason: "slow"), .onAir(.trouble, reason: "slow")),
      (.ended(.time), .ended(.time)),
    ]
    for (event, expected) in pairs { #expect(try kind(event) == expected) }
  }

  @Test func `a session's time comes with its end`() throws {
    let json: JSONValue = ["state": "extended", "endsAt": .text(end.rfc3339), "secondsLeft": .integer(60)]
    #expect(kind("timer", json) == .timer(.extended, endsAt: WallTime(inner: end)))
  }

  @Test(arguments: ["speaker", "joined", "left", "muted", "reported", "timer", "ended"])
  func `what a newer hub says otherwise is passed on`(name: String) {
    let json: JSONValue = ["member": .text(id), "why": "new", "state": "new", "by": "new", "kind": "new"]
    #expect(kind(name, json) == .other(name: name, data: json.description))
  }
}
