import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// The programme of a session, and its boxes, as processes.
@Suite(.realTime) struct SessionProgrammeTests {
  private let folder = ScratchFolder()

  private func tiles(_ subject: HoldfastSubject) throws -> [String: Bool] {
    let programme = try subject.controlStatus()["programme"] as? [String: Any]
    let tiles = programme?["tiles"] as? [[String: Any]] ?? []
    let pairs = tiles.map { ($0["name"] as? String ?? "", $0["muted"] as? Bool ?? false) }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `a programme shows who is in the session, goes on without its hub, and ends with the session`()
    throws
  {
    let hub = try HubProcess(in: folder, options: ["--media-port", "0"])
    let client = hub.client()
    let (left, right, air) = (ScratchFolder(), ScratchFolder(), ScratchFolder())
    let gop = ["--gop", "500ms"]
    let boxes = [try hub.box("Left", in: left, options: gop), try hub.box("Right", in: right, options: gop)]
    for box in boxes { #expect(box.reports("output", "publishing")) }
    let stage = "stage:" + hub.address(of: "Hall")
    let programme = try HoldfastSubject(
      options: ["--name", "programme", "--video", stage, "--audio", stage], in: air
    ).whenLive()
    #expect(programme.reports("tile", "open", times: 2), "\(programme.log)")
    #expect(Set(programme.values("tile", of: "tile")) == ["Left", "Right"])
    let members = try client.members(of: "Hall")
    #expect(members["programme"]?.field("kind") == .text("programme") && programme.play(2))

    let id = try #require(members["Right"]?.field("id"))
    for command: JSONValue in [
      ["command": "mute", "target": id, "tracks": .list(["audio"])],
      ["command": "rename", "target": id, "name": "Rechts"],
    ] {
      #expect(try client.command(command, in: "Hall").status == 200)
    }
    #expect(try eventually { try tiles(programme) == ["Left": false, "Rechts": true] }, "\(programme.log)")

    boxes[0].finish()
    #expect(try eventually { try tiles(programme) == ["Rechts": true] }, "\(programme.log)")
    hub.kill()
    #expect(programme.reports("tile", "lost") && programme.play(2))
    try hub.start()
    // Where the hub's media server has another port now, the tile is a new one.
    let isBack = eventually { ["open", "back"].contains(programme.values("state", of: "tile").last ?? "") }
    #expect(isBack && programme.play(2), "\(programme.log)")
    #expect(try client.command(["command": "end"], in: "Hall").status == 200)
    programme.waitForEnd()
    #expect(programme.status == 0, "\(programme.log)")
    #expect(programme.values("reason", of: "ended") == ["sessionOver"])
    #expect(programme.events("interrupted").isEmpty)
    #expect(programme.values("member", of: "gap").contains("Rechts"), "\(programme.log)")
    #expect(try air.complaint() == nil)
    boxes[1].waitForEnd()
  }
}
