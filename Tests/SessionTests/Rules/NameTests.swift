import HoldfastMediaModel
import Testing

@testable import HoldfastSession

@Suite struct NameTests {
  @Test(arguments: ["Hall", "Saal 3", "Café", "日本", "a", "...", "v12", String(repeating: "x", count: 150)])
  func `a session's name may be in any script`(text: String) throws {
    #expect(try Session.Name(text).text == text)
  }

  @Test(arguments: [
    "", " ", "a/b", "a\\b", "{a", "a}", "a?", "#a", "50%", ".", "..", "*", "v1", "V1", "healthz", "METRICS",
    "a\u{0}b", "a\nb", "a\u{202E}b", "a/\u{301}", String(repeating: "x", count: 151),
    "x" + String(repeating: "\u{301}", count: 400),
  ])
  func `a session's name is refused where an address or a terminal would misread it`(text: String) {
    #expect(throws: Session.Refusal.self) { try Session.Name(text) }
  }

  @Test(arguments: [
    ("Hall", "HALL"), ("caf\u{E9}", "Cafe\u{301}"), ("Ä", "a\u{308}"), ("Straße", "STRASSE"),
    ("ὁδός", "ὉΔΌΣ"), ("\u{FB01}n", "FIN"),
  ])
  func `names are compared without regard to case and composition`(left: String, right: String) throws {
    let (left, right) = (try Session.Name(left), try Session.Name(right))
    #expect(left == right && Set([left, right]).count == 1)
  }

  @Test func `a dotless i is another letter`() throws {
    #expect(try Session.Name("\u{131}") != Session.Name("i"))
  }

  @Test func `a display name that is too long is refused with the limit, not cut`() throws {
    #expect(try Session.DisplayName(String(repeating: "x", count: 200)).text.count == 200)
    let fault = Session.TextFault(
      subject: .member, problem: .tooLong(limit: 200, unit: "characters"))
    #expect(throws: Session.Refusal.badText(fault)) {
      try Session.DisplayName(String(repeating: "x", count: 201))
    }
    #expect(fault.message == "the name has more than 200 characters")
  }

  @Test(arguments: [
    ("x", true), ("correct horse", true), ("ü日", true), (String(repeating: "x", count: 64), true),
    ("", false), (String(repeating: "x", count: 65), false), ("a\tb", false), ("a\u{200B}b", false),
  ])
  func `a password has 1 to 64 printable characters`(text: String, isAllowed: Bool) {
    let isTaken = (try? Session.Password.check(text)) != nil
    #expect(isTaken == isAllowed)
  }

  @Test func `a custom event has a name and at most 8 KiB`() throws {
    #expect(throws: Session.Refusal.self) { try Session.CustomEvent(name: "") }
    let fits = JSONValue.text(String(repeating: "x", count: 8 * 1024 - 2))
    #expect(try Session.CustomEvent(name: "cue", data: fits).data == fits)
    let tooLong = JSONValue.text(String(repeating: "x", count: 8 * 1024 - 1))
    #expect(throws: Session.Refusal.self) { try Session.CustomEvent(name: "cue", data: tooLong) }
  }

  @Test(arguments: ["abcdefgh01234567"])
  func `a member's id is 16 small letters and digits`(text: String) {
    #expect(Session.Member.ID(text) != nil)
    for wrong in [text.uppercased(), String(text.dropLast()), text + "0", "abcdefgh0123456é", ""] {
      #expect(Session.Member.ID(wrong) == nil)
    }
  }

  @Test func `a lease has one spelling`() {
    let lease = Session.Lease(epoch: 3, sequence: 14)
    #expect(Session.Lease("3.14") == lease && lease.description == "3.14")
    for wrong in ["", "3", "3.", ".14", "3.14.1", "+3.14", "03.14", "3.-1", "a.b"] {
      #expect(Session.Lease(wrong) == nil, "\(wrong)")
    }
  }
}
