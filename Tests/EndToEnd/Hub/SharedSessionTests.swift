import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Boxes in a session at a hub, as processes.
@Suite(.realTime) struct SharedSessionTests {
  private let folder = ScratchFolder()
  private let left = ScratchFolder()
  private let right = ScratchFolder()
  private let hub: HubProcess
  private let client: HubClient

  init() throws {
    hub = try HubProcess(in: folder, options: ["--media-port", "0"])
    client = hub.client()
  }

  private func finish(_ boxes: HoldfastSubject...) {
    for box in boxes {
      box.finish()
      #expect(box.status == 0, "\(box.log)")
    }
  }

  @Test func `what a hub's end costs is that hub's media alone, and the session ends its boxes`() throws {
    let boxes = [try hub.box("Left", in: left), try hub.box("Right", in: right)]
    for box in boxes { #expect(box.reports("output", "publishing")) }
    let members = try client.members(of: "Hall")
    #expect(Set(members.keys) == ["Left", "Right"])
    let id = try #require(members["Right"]?.field("id")?.text)

    hub.kill()
    for box in boxes { #expect(box.reports("output", "waiting")) }
    try hub.start()
    for box in boxes { #expect(box.reports("output", "publishing", times: 2)) }
    #expect(try client.members(of: "Hall")["Right"]?.field("id") == .text(id))

    // Black pictures between others are not missing ones.
    for (command, isMuted) in [("mute", true), ("unmute", false)] {
      let mute: JSONValue = [
        "command": .text(command), "target": .text(id), "tracks": .list(["audio", "video"]),
      ]
      #expect(try client.command(mute, in: "Hall").status == 200)
      #expect(eventually { boxes[1].events("mute").count { $0["muted"] as? Bool == isMuted } == 2 })
      #expect(boxes[1].play(1))
    }
    #expect(boxes[0].events("mute").isEmpty)

    #expect(try client.command(["command": "end"], in: "Hall").status == 200)
    for (box, place) in zip(boxes, [left, right]) {
      box.waitForEnd()
      #expect(box.status == 0 && box.values("reason", of: "ended") == ["sessionOver"], "\(box.log)")
      #expect(try place.complaint() == nil)
    }
  }

  @Test func `a box publishes a rendition for small tiles, too, and the session says so`() throws {
    let renditions = #"{"tile":{"size":"160x90","bitrate":"100k"}}"#
    let giving = try hub.box(
      "Giving", in: left, options: ["--renditions", renditions, "--session-small", "tile"])
    let plain = try hub.box("Plain", in: right)
    #expect(eventually { (try? client.members(of: "Hall")["Giving"]?.field("small")) == .bool(true) })
    #expect(try client.members(of: "Hall")["Plain"]?.field("small") == nil)
    #expect(Set(giving.values("id", of: "output")).isSuperset(of: ["session", "session-small"]))
    #expect(!plain.values("id", of: "output").contains("session-small"))
    finish(giving, plain)
  }

  @Test func `a removed box records on, and its output at the session closes`() throws {
    let first = try hub.box("Left", in: left)
    let second = try hub.box("Right", in: right)
    #expect(second.reports("output", "publishing"))
    let id = try #require(try client.members(of: "Hall")["Right"]?.field("id")?.text)
    #expect(try client.command(["command": "remove", "target": .text(id)], in: "Hall").status == 200)
    #expect(second.reports("output", "closed") && second.reports("session", "removed") && second.play(1))
    finish(first, second)
  }

  @Test func `who speaks into a box's microphone is the speaker, until it is muted`() throws {
    // Loud for a fifth of a second, and quiet for as long.
    let sound = "anoisesrc=d=90:c=pink:r=48000:a=0.5,tremolo=f=2.5:d=0.98"
    let voice = try Tool.ffmpeg("-f lavfi -i \(sound)", to: folder.file("voice.wav"))
    let silent = try hub.box("Left", in: left, options: ["--audio", "off"])
    let speaking = try hub.box("Right", in: right, options: ["--audio", "file:\(voice)"])
    let id = try #require(try client.members(of: "Hall")["Right"]?.field("id"))
    func speaker() throws -> JSONValue? { try client.send("GET", "/v1/sessions/Hall")["speaker"] }
    #expect(try eventually { try speaker() == id }, "\(speaking.log)")
    let mute: JSONValue = ["command": "mute", "target": id, "tracks": .list(["audio"])]
    #expect(try client.command(mute, in: "Hall").status == 200 && eventually { try speaker() == .null })
    finish(silent, speaking)
  }
}
