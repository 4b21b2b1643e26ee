import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession

/// Strict reading of what members and others send.
extension Session.JoinRequest {
  init(_ bytes: [UInt8]) throws(APIError) {
    let body = try RequestBody(
      bytes, known: ["key", "name", "kind", "password", "wants", "proof", "lifted", "requestId"])
    self.init(
      key: try body.text("key", maxLength: 128), name: try body.text("name"),
      kind: try body.word("kind", Session.Member.Kind.self), password: try body.givenText("password"),
      wants: try body.optionalWords("wants", Want.self) ?? [],
      proof: try body.givenText("proof"), lifted: try body.optionalWords("lifted", TrackKind.self) ?? [],
      requestID: try body.requestID())
  }
}

extension Session.BeatRequest {
  init(_ bytes: [UInt8]) throws(APIError) {
    let body = try RequestBody(bytes, known: ["state", "muted", "lacks", "small", "statistics"])
    var report = Session.Member.Report()
    report.condition = try body.word("state", Session.Member.Condition.self)
    report.muted = try body.optionalWords("muted", TrackKind.self) ?? []
    report.lacking = try body.optionalWords("lacks", TrackKind.self) ?? []
    report.givesSmall = try body.optionalFlag("small")
    let statistics = body.optionalJSON("statistics")
    if let statistics {
      guard case .object = statistics else {
        throw .badValue("statistics", "not an object", hint: "put it in {…}")
      }
      guard statistics.description.utf8.count <= Self.maxBytes else {
        throw .badValue("statistics", "too long", hint: "use at most \(Self.maxBytes) bytes")
      }
    }
    self.init(report, statistics: statistics)
  }
}

extension Session.CommandRequest {
  /// All fields of all commands; those of the one that is given are checked after it is known.
  init(_ bytes: [UInt8]) throws(APIError) {
    let words = Session.Command.Word.allCases.filter { $0 != .join && $0 != .report }
    let all = Set(words.flatMap(Session.Command.requestFields)).sorted()
    let any = try RequestBody(bytes, known: Self.common + all)
    let text = try any.text("command")
    guard let word = words.first(where: { $0.rawValue == text }) else {
      let nearest = NearestMatch.find(text, among: words.map(\.rawValue))
      throw .badValue(
        "command", "unknown command",
        hint: nearest.map { "did you mean \($0)?" }
          ?? "use one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    let body = try RequestBody(bytes, known: Self.common + Session.Command.requestFields(of: word))
    let id = try body.requestID()
    self.init(try Given(word, body, requestID: id), requestID: id, actingAs: try body.optionalMember("as"))
  }

  private static let common = ["command", "requestId", "as"]
}

extension Session.CommandRequest.Given {
  fileprivate init(_ word: Session.Command.Word, _ body: RequestBody, requestID: String?) throws(APIError) {
    switch word {
    // A join and a beat have requests of their own.
    case .join, .report:
      throw .badValue("command", "not a command", hint: "send it to its own path")
    case .password:
      guard body.optionalJSON("password") != nil else {
        throw .badValue("password", "missing", hint: "null lifts the password")
      }
      self = .password(try body.givenText("password"))
    case .live: self = .live(outputs: try body.texts("outputs"))
    case .rename:
      self = .command(.rename(try body.optionalMember("target"), try body.displayName("name")))
    case .host: self = .command(.host(try body.member("target")))
    case .reclaim: self = .command(.reclaim)
    case .manager: self = .command(.manager(try body.member("target")))
    case .revoke: self = .command(.revoke(try body.member("target")))
    case .remove: self = .command(.remove(try body.member("target")))
    case .readmit: self = .command(.readmit(try body.member("target")))
    case .mute: self = .command(.mute(try body.optionalMember("target"), try body.tracks()))
    case .unmute: self = .command(.unmute(try body.optionalMember("target"), try body.tracks()))
    case .muteAll: self = .command(.muteAll(try body.tracks()))
    case .answer: self = .command(.answer(try body.flag("agrees")))
    case .lock: self = .command(.lock)
    case .unlock: self = .command(.unlock)
    case .lockScreens: self = .command(.lockScreens)
    case .unlockScreens: self = .command(.unlockScreens)
    case .share: self = .command(.share)
    case .unshare: self = .command(.unshare)
    case .limit:
      self = .command(.limit(body.optionalJSON("length") == .null ? nil : try body.duration("length")))
    case .extend: self = .command(.extend(try body.duration("by"), request: requestID ?? ""))
    case .ready: self = .command(.ready)
    case .event: self = .command(.event(try body.customEvent()))
    case .offAir: self = .command(.offAir)
    case .take: self = .command(.take(job: try body.text("job"), worker: try body.text("worker")))
    case .work: self = .command(try body.work())
    case .leave: self = .command(.leave)
    case .end: self = .command(.end)
    }
  }
}

extension RequestBody {
  fileprivate func requestID() throws(APIError) -> String? {
    let id = try givenText("requestId")
    if let id, id.count > Session.Limits.idCharacters {
      throw .badValue("requestId", "too long", hint: "use at most \(Session.Limits.idCharacters) characters")
    }
    return id
  }

  /// Nil if it is missing or null; an empty one is a mistake.
  fileprivate func givenText(_ key: String) throws(APIError) -> String? {
    switch optionalJSON(key) {
    case nil, .null?: nil
    case .bool, .integer, .number, .text, .list, .object: try text(key)
    }
  }

  fileprivate func member(_ key: String) throws(APIError) -> Session.Member.ID {
    guard let id = Session.Member.ID(try text(key)) else {
      throw .badValue(key, "not a member's id", hint: "list the members")
    }
    return id
  }

  fileprivate func optionalMember(_ key: String) throws(APIError) -> Session.Member.ID? {
    try givenText(key) == nil ? nil : try member(key)
  }

  fileprivate func displayName(_ key: String) throws(APIError) -> Session.DisplayName {
    let text = try text(key, maxLength: 1000)
    return try checked(Session.DisplayName(text))
  }

  /// The sound unless tracks are named.
  fileprivate func tracks() throws(APIError) -> Set<TrackKind> {
    guard let tracks = try optionalWords("tracks", TrackKind.self) else { return [.audio] }
    guard !tracks.isEmpty else { throw .badValue("tracks", "empty", hint: "name a track, or leave it out") }
    return tracks
  }

  fileprivate func customEvent() throws(APIError) -> Session.CustomEvent {
    let (name, data) = (try text("name"), optionalJSON("data") ?? .null)
    return try checked(Session.CustomEvent(name: name, data: data))
  }

  fileprivate func work() throws(APIError) -> Session.Command {
    guard let lease = Session.Lease(try text("lease")) else {
      throw .badValue("lease", "not a job's lease", hint: "send what take gave")
    }
    let state = try word("state", Session.Job.State.self)
    let (reason, begun) = (try optionalText("reason"), try optionalFlag("begun"))
    let mediaTime = optionalJSON("mediaTime") == nil ? MediaTime.zero : try length("mediaTime")
    let isReleased = try optionalFlag("released")
    guard !isReleased || state == .waiting else {
      throw .badValue("released", "not with this state", hint: "give a job back as waiting")
    }
    var report = try checked(Session.WorkReport(state, reason: reason, mediaTime: mediaTime, begun: begun))
    report.isReleased = isReleased
    return .work(lease, report)
  }
}

/// What the rules of sessions make of something that was sent.
func checked<Value>(_ make: @autoclosure () throws(Session.Refusal) -> Value) throws(APIError) -> Value {
  try mapError(make()) { (refusal: Session.Refusal) in APIError(refusal) }
}
