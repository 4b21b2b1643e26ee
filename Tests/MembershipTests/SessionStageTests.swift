import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness
import TestStores
import Testing

@testable import HoldfastMembership

@Suite final class SessionStageTests {
  private static let play = "rtmp://media/live/hall.{member}?key=1"

  /// A programme in a session, and what it shows.
  private struct Programme {
    var hub: TestHub
    var stage = SessionStage(.four)
    let lease: String
    private var last: EventID
    private var leases: [Session.Member.ID: String] = [:]

    init(seed: UInt64 = 0) throws {
      hub = try TestHub(seed: seed)
      let request = Session.JoinRequest(key: "programme", name: "Programme", kind: .programme, wants: [.play])
      let answer = try hub.join(request, TestHub.host)
      var place = answer.place
      place.play = play
      lease = place.lease
      last = try hub.load().lastEvent
      stage.note(.joined(1, Session.JoinAnswer(member: answer.member, place: place, state: answer.state)))
    }

    mutating func enter(_ name: String, key: String? = nil) throws -> Session.Member.ID {
      let request = Session.JoinRequest(key: key ?? name, name: name, kind: .box)
      let answer = try hub.join(request, TestHub.host)
      leases[answer.member] = answer.place.lease
      return answer.member
    }

    /// As the box says of itself.
    mutating func report(_ muted: Set<TrackKind>, by id: Session.Member.ID) {
      let report = Session.Member.Report(muted: muted)
      // Refused once it has left.
      if let lease = leases[id] { _ = try? hub.beat(lease, Session.BeatRequest(report)) }
    }

    mutating func act(_ command: Session.Command, for member: Session.Member.ID? = nil) throws {
      try hub.act(command, for: member)
      try follow()
    }

    mutating func follow() throws {
      guard let (events, last) = try hub.events(lease, after: last) else { return }
      self.last = last
      for event in events { stage.note(.streamed(1, event)) }
    }

    /// As of somebody who has just come.
    mutating func fresh() throws -> SessionStage {
      let loaded = try hub.load()
      let state = loaded.session.state(version: "1", at: loaded.now)
      let place = Session.MemberPlace(
        lease: lease, proof: "", role: .host, lastEvent: "\(loaded.lastEvent)", play: play)
      var stage = SessionStage(.four)
      let id = try #require(loaded.session.meeting?.present.first?.id)
      stage.note(.joined(1, Session.JoinAnswer(member: id, place: place, state: state)))
      return stage
    }

    var names: [String?] { stage.performers.map { $0?.name } }
  }

  private var programme: Programme

  init() throws { programme = try Programme() }

  @Test
  func `the members are in their places, each with its address, and a programme is none of them`() throws {
    #expect(programme.stage.isKnown && programme.names == [])
    let anna = try programme.enter("Anna")
    _ = try programme.enter("Ben")
    try programme.follow()
    #expect(programme.names == ["Anna", "Ben"])
    #expect(programme.stage.performers[0]?.address == "rtmp://media/live/hall.\(anna)?key=1")
    try programme.act(.leave, for: anna)
    #expect(programme.names == [nil, "Ben"])
  }

  @Test func `a beat brings a new key`() throws {
    let anna = try programme.enter("Anna")
    try programme.follow()
    let answer = try programme.hub.beat(programme.lease, Session.BeatRequest(Session.Member.Report()))
    var place = answer.place
    place.play = "rtmp://media/live/hall.{member}?key=2"
    programme.stage.note(.beaten(2, Session.BeatAnswer(version: answer.version, place: place)))
    #expect(programme.stage.performers[0]?.address == "rtmp://media/live/hall.\(anna)?key=2")
  }

  @Test func `whoever mutes a member, a sign shows it until all have lifted it`() throws {
    let anna = try programme.enter("Anna")
    func isMuted() -> Bool? { programme.stage.performers.first??.isMuted }
    for (command, muted) in [
      (Session.Command.mute(anna, [.audio]), true), (.mute(anna, [.video]), true),
      (.unmute(anna, [.audio]), false),
    ] {
      try programme.act(command)
      #expect(isMuted() == muted)
    }
    for muted in [true, false] {
      programme.report(muted ? [.audio] : [], by: anna)
      try programme.follow()
      #expect(isMuted() == muted)
    }
  }

  @Test func `members of one name are numbered, and a new name is shown`() throws {
    _ = try programme.enter("Anna", key: "a")
    let second = try programme.enter("Anna", key: "b")
    try programme.follow()
    #expect(Set(programme.names) == ["Anna", "Anna (2)"])
    try programme.act(.rename(second, Session.DisplayName("Ben")))
    #expect(Set(programme.names) == ["Anna", "Ben"])
  }

  @Test func `the newest screen is large, else who speaks`() throws {
    let (anna, ben) = (try programme.enter("Anna"), try programme.enter("Ben"))
    for id in [ben, anna] { try programme.act(.share, for: id) }
    #expect(programme.stage.large == anna)
    try programme.act(.unshare, for: anna)
    #expect(programme.stage.large == ben)
    try programme.act(.unshare, for: ben)
    #expect(programme.stage.large == nil)
    let speaker = HubEvent(id: nil, name: "speaker", data: ["member": .text(anna.text)])
    programme.stage.note(.streamed(1, speaker))
    #expect(programme.stage.large == anna)
  }

  @Test(arguments: 0..<20)
  func `whoever has followed the events sees what somebody sees who has just come`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    programme = try Programme(seed: seed)
    var members: [Session.Member.ID] = []
    for round in 0..<60 {
      let id = members.randomElement(using: &random)
      switch (Int.random(in: 0..<9, using: &random), id) {
      case (0...1, _), (_, nil):
        let id = try programme.enter("Member \(Int.random(in: 0..<7, using: &random))")
        if !members.contains(id) { members.append(id) }
      case (2, let id?): try programme.hub.act(.leave, for: id)
      case (3, let id?): try programme.hub.act(.mute(id, [.audio]))
      case (4, let id?): try programme.hub.act(.unmute(id, [.audio]))
      case (5, let id?): try programme.hub.act(.rename(id, Session.DisplayName("Renamed \(round)")))
      case (6, let id?): try programme.hub.act(.share, for: id)
      case (7, let id?): programme.report(Bool.random(using: &random) ? [.audio] : [], by: id)
      case (_, let id?): try programme.hub.act(.mute(id, [.audio]), for: id)
      }
      if round % 3 == 0 { try programme.follow() }
      programme.hub.pass(.milliseconds(100))
    }
    try programme.follow()
    let fresh = try programme.fresh()
    #expect(programme.stage.performers == fresh.performers)
    #expect(programme.stage.performers.contains { $0 != nil })
  }
}
