import HoldfastMediaModel
import Testing

@testable import HoldfastSession

/// A store that has forgotten something: members prove what they were.
@Suite final class RecoveryTests {
  private var story = SessionStory.busy

  private func proof(_ name: String, isManager: Bool = false, hostTerm: UInt64? = nil) -> Session.Proof {
    Session.Proof(
      meeting: story.session.meeting?.id ?? Session.Lease(epoch: 1, sequence: 1), id: story.id(name),
      lease: story.leases[name] ?? Session.Lease(epoch: 0, sequence: 0),
      isManager: isManager, hostTerm: hostTerm)
  }

  /// The same members' leases, and a store that came back empty in the next epoch.
  private var forgotten: SessionStory {
    var story = SessionStory.busy
    story.session = Session(story.session.name, epoch: Session.Epoch(number: 2, began: story.now))
    return story
  }

  @Test func `who proves it was in comes in, with its id and its role`() {
    story = forgotten
    let left = proof("Left")
    let max = proof("Max", isManager: true)
    #expect(story.rejoin("Right").refusal == .noSuchSession)
    let id = story.id("Left")
    #expect(story.rejoin("Left", with: { $0.proof = left }).refusal == nil)
    #expect(story.id("Left") == id)
    story.rejoin("Max", with: { $0.proof = max })
    #expect(story.role("Max") == .manager)
    #expect(story.rejoin("Right").refusal == nil)
  }

  @Test func `for a lease only the last proven host gets the role`() {
    story = forgotten
    let max = proof("Max", isManager: true, hostTerm: 1)
    let anna = proof("Anna", hostTerm: 2)
    let left = proof("Left")
    story.rejoin("Left", with: { $0.proof = left })
    story.join("Moritz", .host, .person)
    #expect(story.host == nil)
    story.rejoin("Max", with: { $0.proof = max })
    #expect(story.host == "Max")
    let events = story.rejoin("Anna", with: { $0.proof = anna }).events
    #expect(events?.last == .hostChanged(story.id("Anna"), .proven))
    #expect(story.host == "Anna")
    #expect(story.role("Max") == .manager)
  }

  @Test func `after that lease the rules of the host's absence run`() {
    story = forgotten
    let max = proof("Max", isManager: true)
    let anna = proof("Anna", hostTerm: 1)
    story.rejoin("Max", with: { $0.proof = max })
    story.beating = ["Max"]
    story.pass(.milliseconds(19_999))
    #expect(story.host == nil)
    story.pass(.milliseconds(1))
    #expect(story.host == "Max")
    story.rejoin("Anna", with: { $0.proof = anna })
    #expect(story.host == "Max")
  }

  @Test func `a hand-over that the store forgot is proven by the new host`() {
    let before = story.session
    story.apply(.host(story.id("Max")), by: "Anna")
    let term = story.session.meeting?.hostTerm
    story.session = before
    story.beginEpoch()
    let max = proof("Max", isManager: true, hostTerm: term)
    let anna = proof("Anna", hostTerm: before.meeting?.hostTerm)
    story.rejoin("Anna", with: { $0.proof = anna })
    #expect(story.host == "Anna")
    story.rejoin("Max", with: { $0.proof = max })
    #expect(story.host == "Max")
    story.rejoin("Anna", with: { $0.proof = anna })
    #expect(story.host == "Max")
  }

  @Test func `a lease of this epoch proves nothing`() {
    let max = proof("Max", hostTerm: 9)
    story.apply(.lock, by: "Anna")
    #expect(story.join("New", with: { $0.proof = max }).refusal == .locked)
    story.rejoin("Max", with: { $0.proof = max })
    #expect(story.host == "Anna")
  }

  @Test func `a proof admits nobody whom the session remembers to have removed`() {
    let left = proof("Left")
    story.apply(.remove(story.id("Left")), by: "Anna")
    story.beginEpoch()
    #expect(story.rejoin("Left", with: { $0.proof = left }).refusal == .removed)
  }

  @Test func `an epoch never goes back`() {
    story.beginEpoch()
    let session = story.session
    story.session.begin(Session.Epoch(number: 1))
    #expect(story.session == session)
  }

  @Test func `a term of an earlier meeting takes the role from nobody`() {
    story.apply(.host(story.id("Max")), by: "Anna")
    let max = proof("Max", hostTerm: story.session.meeting?.hostTerm)
    for name in ["Anna", "Max", "Left", "Right"] { story.apply(.leave, by: name) }
    story.pass(.seconds(300))
    story.join("Nina", .host, .person)
    story.beginEpoch()
    #expect(story.rejoin("Max", with: { $0.proof = max }).refusal == nil)
    #expect(story.host == "Nina")
  }

  @Test func `a meeting that was created anew becomes the one that members prove`() {
    story = forgotten
    let left = proof("Left")
    let anna = proof("Anna", hostTerm: 1)
    story.join("Moritz", .host, .person)
    #expect(story.session.meeting?.id.epoch == 2)
    story.rejoin("Left", with: { $0.proof = left })
    #expect(story.session.meeting?.id == left.meeting)
    story.rejoin("Anna", with: { $0.proof = anna })
    #expect(story.host == "Anna")
  }

  @Test func `the latest meeting that members prove is the one that goes on`() {
    story = forgotten
    let early = Session.Proof(
      meeting: Session.Lease(epoch: 1, sequence: 1), id: story.id("Max"),
      lease: Session.Lease(epoch: 1, sequence: 2), hostTerm: 9)
    let late = Session.Proof(
      meeting: Session.Lease(epoch: 1, sequence: 7), id: story.id("Anna"),
      lease: Session.Lease(epoch: 1, sequence: 7), hostTerm: 1)
    story.rejoin("Max", with: { $0.proof = early })
    #expect(story.host == "Max")
    story.rejoin("Anna", with: { $0.proof = late })
    #expect(story.host == "Anna")
    story.rejoin("Max", with: { $0.proof = early })
    #expect(story.host == "Anna")
  }

  @Test func `a proof counts only while the session recovers`() {
    let left = proof("Left", isManager: true)
    story.beginEpoch()
    story.rejoin("Anna")
    story.apply(.lock, by: "Anna")
    story.beating = ["Anna"]
    story.pass(.seconds(20))
    let join: (inout SessionStory) -> Session.Refusal? = { story in
      story.join("Copy", key: "new key", with: { $0.proof = left }).refusal
    }
    #expect(join(&story) == .locked)
    story.apply(.unlock, .password(Session.PasswordHash("hash")), by: "Anna")
    #expect(join(&story) == .passwordNeeded)
    story.apply(.password(nil), by: "Anna")
    #expect(join(&story) == nil)
    #expect(story.role("Copy") == .participant)
    var later = forgotten
    later.now = later.now + .seconds(20)
    #expect(join(&later) == .noSuchSession)
  }

  @Test func `a proof gives nobody the id of a member of an ended session`() {
    let left = proof("Left")
    story.apply(.end, by: "Anna")
    story.beginEpoch()
    #expect(story.join("Copy", key: "new key", with: { $0.proof = left }).refusal == .noSuchSession)
    story.join("Nina", .host, .person)
    story.join("Copy", key: "new key", with: { $0.proof = left })
    #expect(story.id("Copy") != story.id("Left"))
    #expect(story.apply(.ready, by: "Copy").refusal == nil)
  }

  @Test func `while a session recovers nobody takes the role from a box that stands in`() {
    story = SessionStory(("Left", .local, .box))
    story.beginEpoch()
    story.rejoin("Left")
    story.join("Anna", .local, .person)
    #expect(story.host == "Left")
  }

  @Test func `while a session recovers nobody reclaims the role`() {
    story.apply(.leave, by: "Anna")
    story.beginEpoch()
    for name in ["Max", "Anna"] { story.rejoin(name) }
    #expect(story.apply(.reclaim, by: "Anna").refusal == .recovering)
    #expect(story.host == "Max")
    story.pass(.seconds(20))
    #expect(story.apply(.reclaim, by: "Anna").events == [.hostChanged(story.id("Anna"), .reclaimed)])
  }
}
