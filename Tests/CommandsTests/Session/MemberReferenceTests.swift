import HoldfastMediaModel
import HoldfastSession
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct MemberReferenceTests {
  private static let there = ["members", "away"]

  private func find(_ text: String, _ lists: [String] = Self.there) throws(Refusal) -> String {
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
    for text in ["anna", FakeHub.removed] { #expect(try find(text, ["removed"]) == FakeHub.removed) }
  }

  @Test(
    arguments: [
      (
        "camera", there,
        "camera: 2 members have this name; use an id: leftleftleftleft (participant box live), "
          + "rightrightrightr (manager box live)"
      ),
      ("Ana", there, "Ana: there is no such member; did you mean Anna?"),
      ("nobody here", there, #""nobody here": there is no such member; list them with the command members"#),
      (
        FakeHub.removed, there,
        "removedremovedre: there is no such member; list them with the command members"
      ),
      ("Camera", ["removed"], "Camera: no such member was removed; list them with the command members"),
    ] as [(String, [String], String)])
  func `an unclear member is explained with the candidates`(text: String, lists: [String], problem: String) {
    let refusal = failure { () throws(Refusal) in try find(text, lists) }
    #expect(refusal?.description == "session member \(problem)" && refusal?.status == .usage)
  }
}
