import HoldfastMediaModel
import HoldfastSession
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct MemberReferenceTests {
  private func find(_ text: String, _ lists: [String] = ["members", "away"]) throws(Refusal) -> String {
    try MemberReference(text).find(in: FakeHub.state, among: lists).text
  }

  @Test(
    arguments: [
      (FakeHub.left, FakeHub.left), ("Anna", FakeHub.anna), ("aNNA", FakeHub.anna),
      (FakeHub.away, FakeHub.away), ("GROSSE BÜHNE", FakeHub.away), ("große bu\u{308}hne", FakeHub.away),
    ] as [(String, String)])
  func `a member is known by its id, or by its only name`(text: String, id: String) throws {
    #expect(try find(text) == id)
  }

  @Test func `for readmit the removed are meant`() throws {
    #expect(try find("anna", ["removed"]) == FakeHub.removed)
    #expect(try find(FakeHub.removed, ["removed"]) == FakeHub.removed)
  }

  @Test(
    arguments: [
      (
        "camera", ["members", "away"],
        "session member camera: 2 members have this name; use an id: leftleftleftleft (participant box live), "
          + "rightrightrightr (manager box live)"
      ),
      ("Ana", ["members", "away"], "session member Ana: there is no such member; did you mean Anna?"),
      (
        "nobody here", ["members", "away"],
        #"session member "nobody here": there is no such member; list them with the command members"#
      ),
      (
        FakeHub.removed, ["members", "away"],
        "session member removedremovedre: there is no such member; list them "
          + "with the command members"
      ),
      (
        "Camera", ["removed"],
        "session member Camera: no such member was removed; list them with the command members"
      ),
    ] as [(String, [String], String)])
  func `an unclear member is explained with the candidates`(text: String, lists: [String], problem: String) {
    let refusal = failure { () throws(Refusal) in try find(text, lists) }
    #expect(refusal?.description == problem)
    #expect(refusal?.status == .usage)
  }
}
