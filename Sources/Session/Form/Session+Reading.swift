import HoldfastLifecycle
import HoldfastMediaModel

extension Session {
  /// Reads what `stored` wrote.
  package init(stored text: String) throws(FormError) {
    let json = try mapError(JSONValue(reading: Array(text.utf8).span)) { (_: JSONSyntaxError) in
      FormError.notJSON
    }
    let fields = try Fields(json)
    let form = try fields.required("form", \.integer)
    guard form == Self.formatVersion else { throw .unknownVersion(form) }
    name = try fields.required("name") { $0.text.flatMap { try? Name($0) } }
    epoch = Epoch(
      number: try fields.required("epoch", \.count), began: try fields.optional("began", \.wallTime))
    sequence = try fields.required("sequence", \.count)
    meeting = try fields.object("meeting", Meeting.init)
    tombstones = try fields.list("tombstones", Tombstone.init)
  }
}

extension Session.Tombstone {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    reason = try fields.required("reason") { $0.word(Session.EndReason.self) }
    endedAt = try fields.required("at", \.wallTime)
    let known = try fields.list("members") { entry throws(Session.FormError) in
      (try entry.required("id", \.memberID), try Session.Member.Identity(entry))
    }
    members = Dictionary(known, uniquingKeysWith: { first, _ in first })
  }
}

extension Session.Meeting {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    id = try fields.required("id", \.lease)
    members = try fields.list("members", Session.Member.init)
    removed = try fields.list("removed", Removal.init)
    host = try fields.object("host", Host.init) ?? .nobody
    hostTerm = try fields.required("term", \.count)
    claims = try fields.optional("claims") { $0.elements(\.memberID) } ?? []
    isLocked = try fields.flag("locked")
    screensAreLocked = try fields.flag("screensLocked")
    password = try fields.optional("password", \.text).map(Session.PasswordHash.init)
    timer = try fields.object("timer", SessionTimer.init) ?? SessionTimer(Self.timerSettings)
    job = try fields.object("job", Session.Job.init)
    speaker = try fields.object("speaker") { speaker throws(Session.FormError) in
      Session.Speaker(
        id: try speaker.required("id", \.memberID), since: try speaker.required("since", \.wallTime))
    }
    stage = try fields.optional("stage", \.stage) ?? Session.Stage()
    leaderlessSince = try fields.optional("leaderless", \.wallTime)
    emptySince = try fields.optional("empty", \.wallTime)
    recoversUntil = try fields.optional("recovers", \.wallTime)
  }
}

extension Session.Meeting.Host {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    let id = try fields.required("id", \.memberID)
    let why = try fields.required("why") { $0.word(Session.HostChange.self) }
    let until = try fields.optional("until", \.wallTime)
    self = until.map { .awaited(id, why, until: $0) } ?? .held(id, why)
  }
}

extension Session.Meeting.Removal {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    self.init(
      id: try fields.required("id", \.memberID), name: try fields.required("name", \.displayName),
      identity: try Session.Member.Identity(fields))
  }
}

extension Session.Member.Identity {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    self.init(key: try fields.required("key", \.text), token: try fields.optional("token", \.text))
  }
}

extension Session.Member {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    let identity = try Identity(fields)
    self.init(
      id: try fields.required("id", \.memberID), identity: identity,
      credential: Session.Credential(
        try fields.required("standing") { $0.word(Session.Standing.self) }, token: identity.token),
      kind: try fields.required("kind") { $0.word(Kind.self) },
      name: try fields.required("name", \.displayName), place: try Place(fields))
    isManager = try fields.flag("manager")
    mute.bySelf = try fields.optional("bySelf", \.tracks) ?? []
    mute.byOthers = try fields.optional("byOthers", \.tracks) ?? []
    mute.asked = try fields.optional("asked", \.tracks) ?? []
    reported.condition = try fields.optional("condition") { $0.word(Condition.self) } ?? .idle
    reported.muted = try fields.optional("muted", \.tracks) ?? []
    reported.lacking = try fields.optional("lacks", \.tracks) ?? []
    reported.givesSmall = try fields.flag("small")
    isReady = try fields.flag("ready")
    sharesScreen = try fields.flag("shares")
    spokeAt = try fields.optional("spoke", \.wallTime)
  }
}

extension Session.Member.Place {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    if let lease = try fields.optional("lease", \.lease) {
      self = .present(
        lease, since: try fields.required("since", \.wallTime), isSilent: try fields.flag("silent"))
    } else {
      self = .away(
        try fields.required("away") { $0.word(Session.Departure.self) },
        lastSeen: try fields.required("seen", \.wallTime))
    }
  }
}

extension JSONValue {
  fileprivate var stage: Session.Stage? {
    var stage = Session.Stage()
    guard let grids = elements, grids.count == stage.grids.count else { return nil }
    for (index, grid) in grids.enumerated() {
      guard let places = grid.elements(\.place), places.count <= stage.grids[index].capacity.rawValue else {
        return nil
      }
      stage.grids[index].places = places
    }
    return stage
  }

  private var place: Session.Stage.Grid.Place? {
    guard let id = field("id")?.memberID else { return nil }
    guard let since = field("since") else { return .hole(of: id) }
    return since.wallTime.map { .taken(id, since: $0) }
  }
}

extension SessionTimer {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    let requests = try fields.list("requests") { request throws(Session.FormError) in
      (try request.required("id", \.text), try request.required("by", \.mediaTime))
    }
    let run = try fields.optional("started", \.mediaTime)
    let reported = try fields.optional("reported") { field in
      field.integer.flatMap { (0...Self.longest.wholeSeconds).contains($0) ? $0 : nil }
    }
    self.init(
      Session.Meeting.timerSettings,
      phase: run.map { .running(Run(startedAt: $0, reported: reported)) } ?? .waiting,
      length: try fields.optional("length") { field in
        field.mediaTime.flatMap { $0 <= Self.longest ? $0 : nil }
      },
      requests: Dictionary(requests, uniquingKeysWith: { first, _ in first }))
  }
}

extension Session.Job {
  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    let id = try fields.required("id", \.text)
    let broadcast = try fields.required("broadcast", \.text)
    let order = try fields.required("outputs") { outputs in
      try? Session.JobOrder(id: id, broadcast: broadcast, outputs: outputs.elements?.compactMap(\.text) ?? [])
    }
    self.init(order: order)
    state = try fields.required("state") { $0.word(State.self) }
    reason = try fields.optional("reason", \.text)
    begun = try fields.flag("begun")
    mediaTime = try fields.required("mediaTime", \.mediaTime)
    reportedAt = try fields.optional("reported", \.wallTime)
    holder = try fields.object("holder") { holder throws(Session.FormError) in
      Holder(
        worker: try holder.required("worker", \.text), lease: try holder.required("lease", \.lease),
        lastSeen: try holder.required("seen", \.wallTime))
    }
  }
}
