import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastSession

@Suite struct FormTests {
  /// A session with something in every field.
  private static func full() throws -> SessionStory {
    var story = SessionStory.busy
    let report = Session.Member.Report(.live, muted: [.audio, .video], givesSmall: true)
    let deaf = Session.Member.Report(lacking: [.audio])
    story.join("Gone")
    story.join("Awaited", .host, .person)
    let orders: [(Session.Command, String)] = [
      (.report(report), "Left"), (.report(deaf), "Right"), (.share, "Left"), (.ready, "Right"),
      (.limit(.seconds(70)), "Anna"),
      (.extend(.seconds(5), request: "more"), "Anna"), (.mute(story.id("Right"), [.audio]), "Anna"),
      (.mute(nil, [.video]), "Right"), (.unmute(story.id("Right"), [.video]), "Anna"), (.lock, "Anna"),
      (.password(Session.PasswordHash("salt\"hash")), "Anna"), (.remove(story.id("Gone")), "Anna"),
      (.live(try Session.JobOrder(id: "job", broadcast: "b", outputs: ["rtmp://a/b?c=\"d\""])), "Anna"),
      (.host(story.id("Awaited")), "Anna"), (.leave, "Awaited"), (.reclaim, "Awaited"),
    ]
    for (command, name) in orders { story.apply(command, by: name) }
    story.silence("Max", for: .seconds(7))
    story.silence("Right", for: .seconds(15))
    let worker = Session.Caller.token(Session.Credential(.worker, token: "w"))
    story.apply(.take(job: "job", worker: "one"), by: worker)
    let lease = try #require(story.session.meeting?.job?.holder?.lease)
    let work = try Session.WorkReport(.trouble, reason: "slow", mediaTime: .seconds(3), begun: true)
    story.apply(.work(lease, work), by: worker)
    return story
  }

  @Test func `a session is read as it was written`() throws {
    let session = try Self.full().session
    let read = try Session(stored: session.stored)
    #expect(read == session)
    #expect(read.stored == session.stored)
    for part in ["silent", "small", "away", "claims", "removed", "holder", "requests", "reported"] {
      #expect(session.stored.contains("\"\(part)\""), "\(part)")
    }
  }

  @Test
  func `an awaited host, a tombstone, an epoch and nothing at all are read as they were written`() throws {
    var story = try Self.full()
    var sessions = [SessionStory().session]
    story.beating = []
    story.pass(.seconds(22))
    sessions.append(story.session)
    story.beginEpoch()
    sessions.append(story.session)
    story.rejoin("Anna")
    story.apply(.end, by: .token(Session.Credential(.operator)))
    #expect(!story.session.tombstones.isEmpty)
    for session in sessions + [story.session] {
      let read = try Session(stored: session.stored)
      #expect(read == session)
    }
  }

  @Test func `a session of a hundred boxes takes half a KiB a member at most`() {
    var story = SessionStory.hosted()
    for number in 1..<100 {
      story.join(
        "Camera in committee room \(number)", key: String(repeating: "k", count: 64),
        token: "\(number)".padding(toLength: 58, withPad: "t", startingAt: 0))
    }
    #expect(story.session.stored.utf8.count < 100 * 512)
  }

  @Test func `another version is refused, not guessed at`() throws {
    let stored = SessionStory.busy.session.stored
    let newer = stored.replacing("\"form\":1", with: "\"form\":2")
    #expect(newer != stored)
    let broken = stored.replacing("\"kind\":\"box\"", with: "\"kind\":\"cupboard\"")
    for (text, error) in [
      (newer, Session.FormError.unknownVersion(2)), ("", .notJSON), ("[]", .notJSON),
      ("{}", .badField("form")), (broken, .badField("kind")),
    ] {
      #expect(throws: error) { try Session(stored: text) }
    }
  }

  @Test func `what is damaged is refused or read, and then lived with, without a trap`() throws {
    let stored = Array(try Self.full().session.stored.utf8)
    var choice = SplitMix64(seed: 1)
    var read = 0
    for _ in 0..<4000 {
      var bytes = stored
      for _ in 0...Int.random(in: 0..<3, using: &choice) {
        let place = Int.random(in: 0..<bytes.count, using: &choice)
        bytes[place] = UInt8.random(in: 0x20...0x7E, using: &choice)
      }
      guard var session = try? Session(stored: String(decoding: bytes, as: UTF8.self)) else { continue }
      read += 1
      let now = WallTime(nanoseconds: 1_800_000_100_000_000_000)
      let presence = Session.Presence(contactSince: now)
      _ = session.nextCheck(presence, at: now)
      _ = session.advance(to: now, presence)
      _ = session.advance(to: now + .seconds(100), presence)
    }
    #expect(read > 100)
  }

  @Test func `a small stream is in requests where there is one, and in answers`() throws {
    #expect(Session.BeatRequest(Session.Member.Report()).json.field("small") == nil)
    let report = Session.Member.Report(givesSmall: true)
    #expect(Session.BeatRequest(report).json.field("small") == .bool(true))
    let join = Session.JoinRequest(key: "k", name: "Box", kind: .box, wants: [.ingest, .ingestSmall])
    #expect(join.json.field("wants") == .list(["ingest", "ingestSmall"]))
    var place = Session.MemberPlace(
      lease: "l", proof: "p", role: .participant, lastEvent: "1-1", ingest: "main", ingestSmall: "small")
    #expect(Session.MemberPlace(place.json) == place)
    #expect(place.ingests == [.main: "main", .small: "small"])
    place.ingestSmall = nil
    let older = place.json.fields.filter { $0.key != "ingestSmall" }
    #expect(Session.MemberPlace(.object(older)) == place)
  }

  @Test func `events are JSON with their name, their subject and no lease`() throws {
    let story = try Self.full()
    let names: Set = ["joined", "left", "hostChanged", "muted", "unmuteAsked", "timer", "onAir"]
    #expect(names.isSubset(of: story.events.map(\.name)))
    for event in story.events {
      #expect(event.json.field("event")?.text == event.name)
      #expect(!event.json.description.contains("lease"))
    }
    let id = story.id("Left")
    let muted = Session.Event.muted(id, [.audio], .others).json.description
    #expect(muted == #"{"event":"muted","member":"\#(id)","tracks":["audio"],"by":"others"}"#)
    let away = Session.Event.hostChanged(nil, .away).json.description
    #expect(away == #"{"event":"hostChanged","member":null,"why":"away"}"#)
    let timer = try #require(story.events.first { $0.name == "timer" })
    #expect(timer.json.field("startedAt")?.text == "2027-01-15T08:00:00.000Z")
  }
}
