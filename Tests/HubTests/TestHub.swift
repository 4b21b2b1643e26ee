import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub
@testable import HoldfastTokens

/// A hub on a free port, with sessions in memory.
final class TestHub: Sendable {
  private let scratch = ScratchFolder()
  let server: HubServer
  let listener: TCPListener
  let store = SharedMemoryStore()
  let keys = HubKeys(secret: Array("what the hubs of the tests share".utf8))
  private let secret: TokenSecret
  private let told = Locked<[String]>([])
  /// What the hub has told people.
  var notes: [String] { told.withLock { $0 } }

  static let stateless = PasswordHasher(
    hash: { Session.PasswordHash("hash of \($0)") }, matches: { $1.text == "hash of \($0)" })

  /// Without tokens, the user of the tests may do what a host may.
  init(
    tokens: Bool = true, media: MediaAddresses = MediaAddresses(), anyoneCreates: Bool = false,
    proxies: TrustedProxies = TrustedProxies(), server embedded: EmbeddedMedia? = nil,
    stores: (@Sendable () -> any Store & Sendable)? = nil,
    progressed: @escaping @Sendable (HubServer.Thread) -> Void = { _ in }
  ) throws {
    secret = try TokenSecret(Array("a secret of the tests, long enough".utf8), from: "tests")
    listener = try TCPListener(HostAndPort("127.0.0.1:0"))
    var settings = HubServer.Settings()
    if tokens {
      settings.tokens = TokenIssuer(
        secret: secret, session: nil, revocations: Revocations(folder: scratch.path))
    }
    settings.proxies = proxies
    settings.progressed = progressed
    settings.media = embedded
    settings.note = { [told] text in told.withLock { $0.append(text) } }
    server = try HubServer(
      HubService(
        keys: keys, hasher: Self.stateless, media: media, anyoneCreates: anyoneCreates), [listener], settings,
      stores: stores ?? { [store] in store })
  }

  /// A hub where Anna is host, and Max a participant.
  static func ofTwo(
    media: MediaAddresses = MediaAddresses(), wants: Set<Session.JoinRequest.Want> = []
  ) throws -> (hub: TestHub, anna: Member, max: Member) {
    let hub = try TestHub(media: media)
    let anna = try hub.join("Anna", .person, token: hub.token(.host))
    return (hub, anna, try hub.join("Max", token: hub.token(.participant, name: "Max"), wants: wants))
  }

  deinit { server.stop() }

  func token(_ role: Role, of session: String = "Hall", name: String = "Anna") throws -> String {
    let token = try Token(
      name: name, role: role, session: role.isOfAllSessions ? "*" : session, lasts: .seconds(3600),
      at: .now, secret: secret)
    return try token.text(signedWith: secret)
  }

  typealias Answer = HubClient.Answer

  func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil, lease: String? = nil,
    headers: [String] = []
  ) throws -> Answer {
    try HubClient(port: listener.port).send(
      method, path, body, token: token, lease: lease, headers: headers)
  }

  /// A request whose answer goes on; of the older version, whose bodies are not cut into chunks.
  func open(
    _ path: String, token: String?, lease: String? = nil, after event: String? = nil
  ) throws -> WireClient {
    let headers = [
      "Authorization": token.map { "Bearer \($0)" }, "Holdfast-Lease": lease, "Last-Event-ID": event,
    ].compactMapValues(\.self)
    let client = try WireClient(port: listener.port)
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    client.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\(lines)\r\n")
    return client
  }

  func post(
    _ path: String, _ body: JSONValue, token: String? = nil, lease: String? = nil, session: String = "Hall"
  ) throws -> Answer {
    try send("POST", "/v1/sessions/\(session)/\(path)", body, token: token, lease: lease)
  }

  /// A member that has joined.
  struct Member {
    let id: String
    let token: String?
    var place: Session.MemberPlace
    var lease: String { place.lease }
  }

  func join(
    _ name: String, _ kind: Session.Member.Kind = .box, token: String? = nil, key: String? = nil,
    password: String? = nil, wants: Set<Session.JoinRequest.Want> = []
  ) throws -> Member {
    let request = Session.JoinRequest(
      key: key ?? "key of \(name), of the tests".replacing(" ", with: "-"), name: name, kind: kind,
      password: password, wants: wants)
    let answer = try post("join", request.json, token: token)
    guard let joined = Session.JoinAnswer(answer.json) else { throw TestFailure(answer.verdict) }
    return Member(id: joined.member.text, token: token, place: joined.place)
  }

  func command(_ fields: JSONValue, by member: Member? = nil, token: String? = nil) throws -> Answer {
    try post("commands", fields, token: token ?? member?.token, lease: member?.lease)
  }

  /// As a media server of the form of SRS asks for the address that a member was given.
  func answerToPublish(_ member: Member, _ rendition: Session.Rendition = .main) throws -> String {
    let parts = try #require(member.place.ingests[rendition]).split(separator: "?")
    let stream = try #require(parts.first?.split(separator: "/").last)
    let key = "?\(parts.dropFirst().joined())"
    return try send(
      "POST", IngestRoute.path,
      ["action": "on_publish", "stream": .text(String(stream)), "param": .text(key)]
    ).verdict
  }

  func beat(
    _ member: Member, _ state: Session.Member.Condition = .idle, muted: Set<TrackKind> = [],
    givesSmall: Bool = false
  ) throws -> Answer {
    var report = Session.Member.Report()
    report.condition = state
    (report.muted, report.givesSmall) = (muted, givesSmall)
    return try post(
      "beat", Session.BeatRequest(report, statistics: ["bitrate": .integer(1)]).json, token: member.token,
      lease: member.lease)
  }
}

extension HubService {
  static func ofTests(media: MediaAddresses = MediaAddresses()) -> HubService {
    HubService(keys: HubKeys(secret: [1]), hasher: TestHub.stateless, media: media)
  }

  /// A member with a number, which its id and its key have.
  func join(
    _ number: Int, _ name: String = "Anna", _ kind: Session.Member.Kind = .box,
    wants: Set<Session.JoinRequest.Want> = [], by credential: Session.Credential, in store: inout some Store
  ) throws -> Session.JoinAnswer {
    let id = try #require(Session.Member.ID(String(1_000_000_000_000_000 + number)))
    let request = Session.JoinRequest(
      key: "key-of-the-member-\(number)", name: name, kind: kind, wants: wants)
    return try join(request, to: .hall, by: credential, newID: id, at: .now, in: &store)
  }
}
