import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastTokens
import TestSupport
import TestTraits
import Testing

@testable import HoldfastHub

@Suite(.realTime) struct SpeakerTests {
  private let hub: TestHub
  private let anna: TestHub.Member
  private let max: TestHub.Member

  init() throws {
    hub = try TestHub()
    anna = try hub.join("Anna", token: hub.token(.host))
    max = try hub.join("Max", token: hub.token(.participant, name: "Max"))
  }

  private func say(
    _ member: TestHub.Member, immediate: Double = 4.8, medium: Double = 113, long: Double = 300,
    loudness: Double = -20
  ) throws -> String {
    let scores = Session.SpeechScores(immediate: immediate, medium: medium, long: long, loudness: loudness)
    return try hub.post(
      "levels", Session.Sound(level: 100, scores: scores).json, token: member.token, lease: member.lease
    ).verdict
  }

  private func state() throws -> JSONValue {
    try hub.send("GET", "/v1/sessions/Hall", token: anna.token).json
  }

  @Test func `who speaks is the speaker, and alone on the smallest stage`() throws {
    #expect(try state().field("speaker") == .null)
    #expect(try say(max) == "200")
    #expect(try state().field("speaker") == .text(max.id))
    let smallest = try state().field("stage")?.elements?.first
    #expect(smallest?.field("places") == .list([.text(max.id)]))
  }

  @Test func `people are told how loud it is, and boxes are not`() throws {
    let pia = try hub.join("Pia", .person, token: hub.token(.participant, name: "Pia"))
    let readers = try [pia, anna].map { try EventReading(at: hub, token: $0.token, lease: $0.lease) }
    for reader in readers { #expect(reader.waits(for: "event: reset")) }
    #expect(try say(max) == "200")
    #expect(readers[0].waits(for: "event: levels\ndata: {\"\(max.id)\":100}"))
    // What follows comes to both.
    #expect(try hub.command(["command": "lock"], by: anna).verdict == "200")
    for reader in readers { #expect(reader.waits(for: "event: locked")) }
    #expect(!readers[1].client.text.contains("levels"))
  }

  @Test func `people at a hub that hears nobody are told by the store`() throws {
    let other = try TestHub(stores: { [store = hub.store] in store })
    let pia = try other.join("Pia", .person, token: other.token(.participant, name: "Pia"))
    let reader = try EventReading(at: other, token: pia.token, lease: pia.lease)
    let speaking = RepeatingThread(every: 300_000) { _ = try? say(max) }
    defer { speaking.finish() }
    #expect(reader.waits(for: "event: levels\ndata: {\"\(max.id)\":100}"))
  }

  @Test func `who is quiet, or muted, is no speaker`() throws {
    #expect(try say(max, medium: 0, long: 0) == "200")
    let mute: JSONValue = ["command": "mute", "target": .text(max.id), "tracks": .list(["audio"])]
    #expect(try hub.command(mute, by: anna).verdict == "200")
    #expect(try say(max) == "200")
    #expect(try state().field("speaker") == .null)
  }

  @Test func `a voice in the microphone of another makes nobody a speaker`() throws {
    #expect(try say(anna, immediate: 0, medium: 0, long: 0, loudness: -20) == "200")
    #expect(try say(max, loudness: -35) == "200")
    #expect(try state().field("speaker") == .null)
  }

  @Test(arguments: [
    "{}", #"{"level":1}"#, #"{"level":128,"scores":[1,1,1,-20]}"#, #"{"level":1,"scores":[1,1,1]}"#,
    #"{"level":1,"scores":[1,1,1,1]}"#, #"{"level":1,"scores":[-1,1,1,-20]}"#,
    #"{"level":"1","scores":[1,1,1,-20]}"#,
  ])
  func `scores are read strictly`(body: String) throws {
    let sound = try JSONValue(reading: Array(body.utf8).span)
    #expect(try hub.post("levels", sound, token: max.token, lease: max.lease).verdict == "422 badValue")
  }

  @Test func `who has no lease says nothing`() throws {
    let sound = try JSONValue(reading: Array(#"{"level":1,"scores":[1,1,1,-20]}"#.utf8).span)
    #expect(try hub.post("levels", sound, token: max.token).verdict == "403 leaseNeeded")
  }
}
