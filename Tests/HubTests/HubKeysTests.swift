import HoldfastMediaModel
import HoldfastSession
import TestStores
import Testing

@testable import HoldfastHub

@Suite struct HubKeysTests {
  private let keys = HubKeys(secret: Array("one secret".utf8))
  private let session = HubKeys.digest(of: .hall)
  private let ticket: LeaseTicket
  private let now = WallTime(nanoseconds: 1_795_000_000_000_000_000)

  init() throws {
    let id = try #require(Session.Member.ID("abcdefghijklmno1"))
    ticket = LeaseTicket(member: id, lease: Session.Lease(epoch: 7, sequence: 3), wants: [.ingest, .play])
  }

  @Test func `a lease is read as it was written`() {
    let text = keys.text(of: ticket, in: .hall, token: "t")
    #expect(keys.ticket(text, in: .hall, token: "t") == ticket)
  }

  @Test func `a lease counts for its session, token and secret alone`() throws {
    let text = keys.text(of: ticket, in: .hall, token: "t")
    #expect(keys.ticket(text, in: try Session.Name("Other"), token: "t") == nil)
    #expect(keys.ticket(text, in: .hall, token: "u") == nil)
    #expect(keys.ticket(text, in: .hall, token: nil) == nil)
    #expect(HubKeys(secret: [1]).ticket(text, in: .hall, token: "t") == nil)
  }

  @Test func `a lease that differs in any byte is refused`() {
    let bytes = Array(keys.text(of: ticket, in: .hall, token: "t").utf8)
    for index in bytes.indices {
      var other = bytes
      other[index] = other[index] == 0x30 ? 0x31 : 0x30
      #expect(keys.ticket(String(decoding: other, as: UTF8.self), in: .hall, token: "t") == nil, "\(index)")
      #expect(
        keys.ticket(String(decoding: bytes[..<index], as: UTF8.self), in: .hall, token: "t") == nil)
    }
  }

  @Test(arguments: ["", ".", "....", "a.b.c.d.e", String(repeating: "a", count: 10_000), "1.2"])
  func `garbage is no lease, no proof and no key`(text: String) {
    #expect(keys.ticket(text, in: .hall, token: nil) == nil)
    #expect(keys.proof(text, in: .hall, key: "k", token: nil) == nil)
    #expect(keys.publishGrant(text, stream: "0123456789abcdef.abcdefghijklmno1", at: now) == nil)
    #expect(keys.playGrant(text, stream: text, at: now) == nil)
  }

  @Test(arguments: [(true, UInt64?.some(4)), (false, nil)])
  func `a proof is read as it was written, by its own member`(isManager: Bool, term: UInt64?) {
    let proof = Session.Proof(
      meeting: Session.Lease(epoch: 7, sequence: 1), id: ticket.member, lease: ticket.lease,
      isManager: isManager, hostTerm: term)
    let identity = Session.Member.Identity(key: "k", token: "t")
    let text = keys.text(of: proof, in: .hall, identity)
    #expect(keys.proof(text, in: .hall, key: "k", token: "t") == proof)
    #expect(keys.proof(text, in: .hall, key: "other", token: "t") == nil)
    #expect(keys.proof(text, in: .hall, key: "k", token: "other") == nil)
  }

  @Test func `a media key is for its stream and its use, until it expires`() {
    let stream = HubKeys.stream(session, ticket.member)
    let key = keys.publishKey(for: ticket.member, in: session, epoch: 7, until: now + .seconds(10))
    let grant = keys.publishGrant(key, stream: stream, at: now)
    #expect(grant?.member == ticket.member && grant?.session == session)
    #expect(keys.publishGrant(key, stream: stream, at: now + .seconds(10)) == nil)
    #expect(keys.publishGrant(key, stream: stream, at: nil) == grant)
    #expect(keys.publishGrant(key, stream: "\(session).abcdefghijklmno2", at: now) == nil)
    #expect(keys.playGrant(key, stream: stream, at: now) == nil)
    let play = keys.playKey(in: session, epoch: 7, until: now + .seconds(10))
    #expect(keys.playGrant(play, stream: "\(session).abcdefghijklmno2", at: now) != nil)
    #expect(keys.publishGrant(play, stream: stream, at: now) == nil)
  }

  @Test func `a small stream has a name and a key of its own, and the session's play key`() throws {
    let main = HubKeys.stream(session, ticket.member)
    let small = HubKeys.stream(session, ticket.member, .small)
    #expect(small == "\(session).abcdefghijklmno1-small")
    let key = keys.publishKey(for: ticket.member, .small, in: session, epoch: 7, until: now + .seconds(10))
    #expect(keys.publishGrant(key, stream: small, at: now)?.member == ticket.member)
    #expect(keys.publishGrant(key, stream: main, at: now) == nil)
    let mainKey = keys.publishKey(for: ticket.member, in: session, epoch: 7, until: now + .seconds(10))
    #expect(keys.publishGrant(mainKey, stream: small, at: now) == nil)
    let play = keys.playKey(in: session, epoch: 7, until: now + .seconds(10))
    #expect(keys.playGrant(play, stream: small, at: now) != nil)
  }

  @Test(arguments: [
    ("a.abcdefghijklmno1", true, Session.Rendition.main), ("a.abcdefghijklmno1-small", true, .small),
    ("a.abcdefghijklmno1-large", false, .main), ("a.abcdefghijklmno1-small-small", false, .main),
    ("a.-small", false, .main), ("a.b.abcdefghijklmno1", false, .main), ("abcdefghijklmno1", false, .main),
  ])
  func `a stream's name is read strictly`(text: String, isOne: Bool, rendition: Session.Rendition) {
    let name = StreamName(text)
    #expect((name != nil) == isOne)
    if let name {
      #expect(name.rendition == rendition && name.member == ticket.member && name.session == "a")
    }
  }

  @Test func `what a command says can't be guessed from its fingerprint without the secret`() {
    #expect(keys.fingerprint(of: "password 1234") == keys.fingerprint(of: "password 1234"))
    #expect(keys.fingerprint(of: "password 1234") != keys.fingerprint(of: "password 1235"))
    #expect(keys.fingerprint(of: "password 1234") != HubKeys(secret: [1]).fingerprint(of: "password 1234"))
  }

  @Test func `names that are equal have one digest`() throws {
    #expect(HubKeys.digest(of: .hall) == HubKeys.digest(of: try Session.Name("HALL")))
    let (composed, decomposed) = (try Session.Name("Caf\u{E9}"), try Session.Name("Cafe\u{301}"))
    #expect(HubKeys.digest(of: composed) == HubKeys.digest(of: decomposed))
    #expect(HubKeys.digest(of: .hall).count == 16)
  }
}
