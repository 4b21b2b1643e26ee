import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// The routes of one session.
struct SessionRoutes: Sendable {
  let hub: HubParts

  private static let path = "/v1/sessions/{name}"

  var all: [HubRoute] {
    [
      route("POST", "/join", needs: .session, to: "join", answer: join),
      route("POST", "/beat", needs: .lease, to: "be a member", answer: beat),
      route("POST", "/levels", needs: .lease, to: "be a member", answer: levels),
      route("POST", "/commands", needs: .session, to: "steer the session", answer: command),
      route("POST", "/leave", needs: .session, to: "leave the session", answer: leave),
      route("GET", "", needs: .session, to: "see the session") { place throws(APIError) in
        .json(try show(place).state)
      },
      route("GET", "/events", needs: .session, to: "see the session", answer: events),
      route("GET", "/live", needs: .session, to: "see the session", answer: live),
      route("GET", "/members/{member}/preview.jpg", needs: .session, to: "see the session", answer: still),
      HubRoute("GET", "/v1/sessions", needs: .allSessions, to: "see all sessions", isSlow: true) {
        _ throws(APIError) in .json(try list())
      },
      HubRoute("GET", "/v1/jobs", needs: .allSessions, to: "see the jobs that wait", isSlow: true) {
        _ throws(APIError) in .json(try jobs())
      },
    ]
  }

  /// A request for one session.
  struct Place {
    let call: HubRoute.Call
    let name: Session.Name
    /// With the header `Holdfast-Lease`.
    let ticket: LeaseTicket?

    var credential: Session.Credential { call.caller.credential }

    /// The member whose lease it is, or whoever's token it is.
    func caller(as member: Session.Member.ID? = nil) -> Session.Caller {
      ticket?.caller ?? .token(credential, as: member)
    }
  }

  private func route(
    _ method: String, _ path: String, needs: HubNeed, to purpose: String,
    answer: @escaping @Sendable (Place) throws(APIError) -> HTTPResponse
  ) -> HubRoute {
    HubRoute(method, Self.path + path, needs: needs, to: purpose, isSlow: true) { (call) throws(APIError) in
      let place = try place(call)
      if needs == .lease, place.ticket == nil {
        throw APIError(
          403, "leaseNeeded", "only a member may do this",
          hint: "join, and send the lease as Holdfast-Lease")
      }
      return try answer(place)
    }
  }

  private func place(_ call: HubRoute.Call) throws(APIError) -> Place {
    guard let bytes = call.parameter[...].percentDecoded(isLenient: false),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw APIError(
        404, "notFound", "the session's name is not percent-encoded UTF-8", hint: "encode it as one segment")
    }
    let name = try checked(SessionNames.name(text))
    guard call.caller.isFor(name) else {
      throw APIError(
        401, "tokenOfAnotherSession", "the token is for another session",
        hint: "ask for one with this session's --session")
    }
    var ticket: LeaseTicket?
    if let lease = call.request.lease {
      ticket = hub.service.keys.ticket(lease, in: name, token: call.caller.credential.token)
      if ticket == nil { throw APIError(.leaseForged) }
    }
    return Place(call: call, name: name, ticket: ticket)
  }
}

// MARK: - Members

extension SessionRoutes {
  private func join(_ place: Place) throws(APIError) -> HTTPResponse {
    let request = try Session.JoinRequest(place.call.request.body)
    let origin = AttemptOrigin(place.call.request.peer)
    let guesser = PasswordGuesses.Guesser(token: place.credential.token, origin: origin)
    // A removal right after the join must find it looked after.
    hub.gate.watch(place.name)
    let answer = try hub.act { store throws(HubFailure) in
      try hub.service.join(
        request, to: place.name, by: place.credential, newID: .random(), at: .now,
        guess: { (isRight) throws(HubFailure) in try hub.guesses.compare(by: guesser, isRight) }, in: &store)
    }
    if let loaded = hub.service.cache.newest(place.name) { hub.observe(loaded) }
    return .json(answer.json)
  }

  private func beat(_ place: Place) throws(APIError) -> HTTPResponse {
    guard let ticket = place.ticket else { throw APIError(.leaseForged) }
    let request = try Session.BeatRequest(place.call.request.body)
    let answer = try hub.act(changes: false) { store throws(HubFailure) in
      try hub.service.beat(request, by: ticket, in: place.name, at: .now, in: &store)
    }
    // Another hub, or this one before its start, may have let it in.
    if !hub.gate.hasHeard(of: HubKeys.digest(of: place.name)), let loaded = try? hub.load(place.name) {
      hub.observe(loaded)
    }
    return .json(answer.json)
  }

  /// How loud it is, and how much like speech.
  private func levels(_ place: Place) throws(APIError) -> HTTPResponse {
    guard let ticket = place.ticket else { throw APIError(.leaseForged) }
    let body = try RequestBody(place.call.request.body, known: Session.Sound.fields)
    let given = Session.Sound.fields.map { JSONValue.Field($0, body.optionalJSON($0) ?? .null) }
    guard let sound = Session.Sound(.object(given)) else {
      throw .badValue(
        "scores", "not the scores of a second",
        hint: "send level, 0 to 127, and scores: immediate, medium, long, and the loudness of speech in dB")
    }
    let levels = try hub.act(changes: false) { store throws(HubFailure) in
      try hub.service.levels(sound, by: ticket, in: place.name, in: &store)
    }
    hub.feeds.take(levels, of: place.name, from: .member, at: .now)
    return .ok()
  }

  private func leave(_ place: Place) throws(APIError) -> HTTPResponse {
    let ends = try RequestBody(place.call.request.body, known: ["end"]).optionalFlag("end")
    return try perform(Session.CommandRequest(ends ? .end : .leave), place)
  }

  private func command(_ place: Place) throws(APIError) -> HTTPResponse {
    try perform(try Session.CommandRequest(place.call.request.body), place)
  }

  private func perform(_ request: Session.CommandRequest, _ place: Place) throws(APIError) -> HTTPResponse {
    let events = try hub.act { store throws(HubFailure) in
      try hub.service.perform(
        request, in: place.name, by: place.caller(as: request.actingAs),
        newID: { Session.Member.ID.random().text },
        in: &store)
    }
    var fields = [JSONValue.Field("events", .list(events.map(JSONValue.text)))]
    if case .command(.take(let id, let worker)) = request.given {
      fields.append(JSONValue.Field("job", try job(id, of: worker, in: place.name)))
    }
    return .ok(.object(fields))
  }
}

// MARK: - Readers

extension SessionRoutes {
  private func show(_ place: Place) throws(APIError) -> LoadedSession {
    try hub.act(changes: false) { store throws(HubFailure) in
      try hub.service.show(place.name, to: place.caller(), in: &store)
    }
  }

  private func events(_ place: Place) throws(APIError) -> HTTPResponse {
    let last = place.call.request.lastEventID.flatMap { EventID($0) }
    let stream = try hub.act { store throws(HubFailure) in
      try hub.feeds.stream(
        of: place.name, for: place.caller(), after: last, by: hub.service, in: &store, at: .now)
    }
    return HTTPResponse(contentType: "text/event-stream", stream: stream)
  }

  private func list() throws(APIError) -> JSONValue {
    var sessions: [JSONValue] = []
    try forEach { loaded in
      guard let meeting = loaded.session.meeting else { return }
      sessions.append([
        "name": .text(loaded.session.name.text), "members": JSONValue(meeting.present.count),
        "host": JSONValue(meeting.hostID?.text), "onAir": JSONValue(meeting.job?.state.rawValue),
        "endsAt": JSONValue(meeting.end(at: loaded.now)?.rfc3339),
      ])
    }
    return ["sessions": .list(sessions)]
  }

  /// All sessions that can be read; the log names the others.
  func forEach(_ body: (LoadedSession) -> Void) throws(APIError) {
    let year = MediaTime.seconds(366 * 86_400)
    try hub.act(changes: false) { store throws(HubFailure) in
      for name in try hub.service.names(within: year, in: &store) {
        do throws(HubFailure) {
          body(try hub.service.load(name, in: &store))
        } catch .store(.unreadable(let error)) {
          hub.noteUnreadable(name, error)
        }
      }
    }
  }
}

extension Session.Member.ID {
  /// 16 random letters and digits.
  static func random() -> Session.Member.ID {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    while true {
      // From 252 on, some letters would be likelier.
      let fair = randomBytes(24).filter { $0 < 252 }.prefix(16)
      if let id = Session.Member.ID(String(fair.map { letters[Int($0) % letters.count] })) { return id }
    }
  }
}

/// The names of sessions as requests and tokens write them, each checked once.
enum SessionNames {
  private static let known = Memo<String, Session.Name>(capacity: 8192)

  static func name(_ text: String) throws(Session.Refusal) -> Session.Name {
    try known.value(text) { (text) throws(Session.Refusal) in try Session.Name(text) }
  }
}
