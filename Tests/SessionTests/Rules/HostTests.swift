import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite final class HostTests {
  private var story = SessionStory.busy

  private var changes: [Session.HostChange] {
    story.events.compactMap { if case .hostChanged(_, let why) = $0 { why } else { nil } }
  }

  @Test func `the first who may be host is`() {
    story = SessionStory(("Anna", .host, .person), ("Max", .host, .person))
    #expect(story.host == "Anna")
    #expect(story.role("Max") == .participant)
  }

  @Test func `a box that stands in gives way to the first person, once`() {
    story = SessionStory(("Left", .local, .box), ("Right", .local, .box))
    #expect(story.host == "Left")
    for name in ["Anna", "Max"] {
      story.join(name, .local, .person)
      #expect(story.host == "Anna")
    }
    #expect(changes == [.first, .person])
  }

  @Test func `a box that got the role by command keeps it when a person comes`() {
    story = SessionStory(("Left", .host, .box), ("Right", .host, .box))
    story.apply(.host(story.id("Right")), by: "Left")
    story.join("Anna", .host, .person)
    #expect(story.host == "Right")
    // Not after it was away for a moment either.
    story.silence("Right", for: .seconds(22))
    story.rejoin("Right")
    story.join("Max", .host, .person)
    #expect(story.host == "Right")
  }

  @Test func `a programme, a participant's and a worker's token are never host`() {
    story = SessionStory.hosted("Box")
    story.join("Mix", .host, .programme)
    story.join("Worker", .worker, .programme)
    for name in ["Box", "Mix", "Worker"] {
      #expect(story.apply(.host(story.id(name)), by: "Anna").refusal == .mayNotBeHost)
    }
    story.apply(.leave, by: "Anna")
    #expect(story.host == nil)
    story.pass(.seconds(60))
    #expect(story.host == nil)
  }

  @Test func `the role passes on 30 s after the host's last beat, though its lease is over after 20`() {
    story.silence("Anna", for: .seconds(29))
    #expect(!story.present.contains("Anna"))
    #expect(story.host == "Anna")
    story.pass(.milliseconds(1000))
    #expect(story.host == "Max")
    #expect(changes == [.first, .away])
  }

  @Test func `a host that comes back in time is still host`() {
    story.silence("Anna", for: .seconds(29))
    story.rejoin("Anna")
    story.pass(.seconds(60))
    #expect(story.host == "Anna")
    #expect(changes == [.first])
  }

  @Test func `a host that leaves passes the role on at once`() {
    #expect(story.apply(.leave, by: "Anna").events?.last == .hostChanged(story.id("Max"), .left))
    #expect(story.host == "Max")
  }

  @Test func `heirs are managers, then persons, then boxes, in the order of their joins`() {
    story = SessionStory(
      ("Anna", .host, .person), ("Box 1", .host, .box), ("Person 1", .host, .person),
      ("Person 2", .host, .person), ("Box 2", .host, .box), ("Box 3", .participant, .box))
    story.apply(.manager(story.id("Box 3")), .manager(story.id("Box 2")), by: "Anna")
    var hosts: [String?] = []
    for _ in 0..<5 {
      if let host = story.host { story.apply(.leave, by: host) }
      hosts.append(story.host)
    }
    #expect(hosts == ["Box 2", "Person 1", "Person 2", "Box 1", nil])
  }

  @Test func `the first manager is not heir while nothing is heard of it`() {
    story.join("Moritz", .host, .person)
    story.silence("Max", for: .seconds(15))
    story.apply(.leave, by: "Anna")
    #expect(story.host == "Moritz")
  }

  @Test func `nobody is host until one who may comes, or is heard again`() {
    story = SessionStory.hosted("Left")
    story.join("Max", .host, .person)
    story.silence("Max", for: .seconds(15))
    story.apply(.leave, by: "Anna")
    #expect(story.events.last == .hostChanged(nil, .left))
    story.beating.insert("Max")
    story.pass(.seconds(6))
    #expect(story.host == "Max")
  }

  @Test func `a host that lost the role by absence gets it back by reclaiming it only`() {
    story.silence("Anna", for: .seconds(31))
    story.rejoin("Anna")
    story.pass(.seconds(300))
    #expect(story.host == "Max")
    #expect(story.role("Anna") == .participant)
    #expect(story.apply(.reclaim, by: "Left").refusal == .nothingToReclaim)
    #expect(story.apply(.reclaim, by: "Anna").events == [.hostChanged(story.id("Anna"), .reclaimed)])
    #expect(story.role("Max") == .manager)
    #expect(story.apply(.reclaim, by: "Anna").refusal == .nothingToReclaim)
  }

  /// The earlier host's claim outlasts the later one's.
  @Test(arguments: [["Anna"], ["Max", "Anna"]])
  func `the earlier host's reclaim ends the claims of who held the role in its place`(claimants: [String]) {
    story.join("Moritz", .host, .person)
    for name in ["Anna", "Max"] { story.apply(.leave, by: name) }
    #expect(story.host == "Moritz")
    for name in ["Anna", "Max"] { story.rejoin(name) }
    for name in claimants { #expect(story.apply(.reclaim, by: name).refusal == nil) }
    #expect(story.apply(.reclaim, by: "Max").refusal == .nothingToReclaim)
    #expect(story.host == "Anna")
  }

  @Test func `a hand-over by command stands`() {
    story.apply(.leave, by: "Anna")
    #expect(story.apply(.host(story.id("Max")), by: "Max").events == [])
    story.rejoin("Anna")
    #expect(story.apply(.reclaim, by: "Anna").refusal == .nothingToReclaim)
    let anna = story.id("Anna")
    #expect(story.apply(.host(anna), by: "Max").events == [.hostChanged(anna, .transferred)])
    #expect(story.role("Max") == .manager)
    #expect(story.apply(.reclaim, by: "Max").refusal == .nothingToReclaim)
  }

  @Test func `a reclaim by a token that has not joined names the member`() {
    story.apply(.leave, by: "Anna")
    story.rejoin("Anna")
    let token = Session.Credential(.host, token: "token of Anna")
    #expect(story.apply(.reclaim, by: .token(token)).refusal == .memberNeeded)
    #expect(story.apply(.reclaim, by: .token(token, as: story.id("Anna"))).refusal == nil)
    #expect(story.host == "Anna")
  }

  @Test func `managers are made and revoked once`() {
    let id = story.id("Left")
    #expect(story.apply(.manager(id), by: "Anna").events == [.managerMade(id)])
    #expect(story.apply(.manager(id), by: "Anna").events == [])
    #expect(story.role("Left") == .manager)
    #expect(story.apply(.revoke(id), by: "Anna").events == [.managerRevoked(id)])
    #expect(story.apply(.revoke(id), by: "Anna").events == [])
    #expect(story.role("Left") == .participant)
  }

  @Test func `who leaves and joins with ever new keys doesn't fill the session`() {
    story = SessionStory.hosted()
    for number in 0..<(2 * Session.Limits.away) {
      story.join("Max \(number)", .host, .person, token: "token of Max")
      if let host = story.host { story.apply(.leave, by: host) }
    }
    #expect(story.session.meeting?.claims.count == Session.Limits.claims)
    let away = story.session.meeting?.members.count { !$0.isPresent } ?? 0
    #expect((Session.Limits.away...Session.Limits.away + Session.Limits.claims).contains(away))
  }

  @Test func `who is there keeps its claim before who is not`() {
    story = SessionStory.hosted()
    story.join("Max", .host, .person)
    story.apply(.leave, by: "Anna")
    story.rejoin("Anna")
    for number in 0..<20 {
      // The heir has to be somebody else than Anna.
      story.join("Heir \(number)", .host, .person)
      if let host = story.host { story.apply(.manager(story.id("Heir \(number)")), by: host) }
      if let host = story.host { story.apply(.leave, by: host) }
    }
    #expect(story.host == "Heir 19")
    #expect(story.session.meeting?.claims.count == Session.Limits.claims)
    #expect(story.apply(.reclaim, by: "Anna").refusal == nil)
  }

  @Test func `all who went are forgotten beyond the limit, not one a departure`() {
    story = SessionStory.hosted()
    for number in 0..<30 {
      story.join("Max \(number)", .host, .person, token: "token of Max")
      if let host = story.host { story.apply(.leave, by: host) }
    }
    for number in 0..<Session.Limits.away {
      story.join("Box \(number)")
      story.apply(.leave, by: "Box \(number)")
    }
    // A hand-over ends the claims, and with them what kept their members.
    story.join("Nina", .host, .person)
    if let host = story.host { story.apply(.host(story.id("Nina")), by: host) }
    story.join("Last")
    story.apply(.leave, by: "Last")
    #expect(story.session.meeting?.members.count { !$0.isPresent } == Session.Limits.away)
  }
}
