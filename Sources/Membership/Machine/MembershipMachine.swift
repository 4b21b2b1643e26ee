package import HoldfastMediaModel
import HoldfastSession

/// Decides what the member of a session asks of its hub, and what follows for the broadcast: a value without clock or
/// I/O, events in, actions out.
///
/// Joining and beating never hold up the recording or outputs: the machine only says what to mute, where to publish,
/// and, when the session was ended, that the broadcast ends. Requests and streams are numbered; an outcome of an earlier
/// one has no effect.
package struct MembershipMachine: Machine {
  let settings: Settings
  var state = State.idle
  var name: Session.DisplayName
  /// What a join asks for: less of a hub that refuses all of it.
  var wants: Set<Session.JoinRequest.Want>
  /// The one that was right last, or is to be tried.
  var password: String?
  /// The one that was wrong last: it is reported once, however often it is tried again.
  var wrongPassword: String?
  var record: MembershipRecord
  var mutes = MuteLedger()
  var screen = ScreenLedger()
  var orders = CommandQueue()
  var othersReady = ReadyMembers()
  /// The sources are open: ready is said after each join.
  var isReady = false
  var report = Session.Member.Report()
  var statistics: JSONValue?
  var contact = Contact.heard(MonotonicTime(nanoseconds: 0))
  /// The id of the join that has no answer yet, so that a hub carries it out once, however often it comes.
  var joinID: String?
  /// When a join was sent that a hub may still carry out as a new one: an earlier process sent it, or the store has forgotten
  /// its id since.
  var lateJoin: MonotonicTime?
  /// As it was reported last.
  var role: Session.Role?
  var endsAt: WallTime?
  var randomness: any RandomNumberGenerator
  private var remembered: MembershipRecord?
  private var rememberedAt = MonotonicTime(nanoseconds: 0)
  private var inForce: Set<TrackKind> = []
  /// Where the outputs at the session publish to.
  private var published: [Session.Rendition: String] = [:]
  private var number = 0
  var actions: [Action] = []

  /// How often new keys are written down at most.
  private static let rememberInterval = MediaTime.seconds(60)

  /// `record` is what an earlier process kept for this session.
  package init(
    _ settings: Settings, record: MembershipRecord?,
    randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.settings = settings
    self.randomness = randomness
    (name, wants) = (settings.name, settings.wants)
    password = settings.password
    let newKey = Self.randomText(32, using: &self.randomness)
    let record = record ?? MembershipRecord(key: newKey)
    self.record = settings.continues ? record : record.forNewBroadcast(newKey: newKey)
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .started: start(now)
    case .timePassed: break
    case .networkChanged: wake(now)
    case .reported(let report): say(report, now)
    case .measured(let figures): statistics = figures
    case .screenShown(let isShown): noteScreen(isShown)
    case .screenSwitched(let isShown): screenSwitched(isShown: isShown)
    case .sourcesOpened: sayReady()
    case .ordered(let order, let id): take(order, id: id)
    case .passwordGiven(let password): use(password, now)
    case .leaveRequested: leave(isLast: false, now)
    case .broadcastEnded: leave(isLast: true, now)
    case .broadcastRenewed: remembered = nil
    case .joined(let number, let answer): joined(number, answer, now)
    case .beaten(let number, let answer): beaten(number, answer, now)
    case .commanded(let number): commanded(number, now)
    case .left(let number): finishLeaving(number)
    case .failed(let number, let failure): failed(number, failure, now)
    case .streamOpened(let number): streamOpened(number, now)
    case .streamed(let number, let event): streamed(number, event, now)
    case .streamClosed(let number, let failure): streamClosed(number, failure, now)
    }
    noteSolitude(now)
    pursue(now)
    return takeActions(now)
  }

  /// When `timePassed` is due; nil if only an event changes something.
  package var nextDeadline: MonotonicTime? {
    switch state {
    case .idle, .superseded, .over, .left, .finished: nil
    case .joining(let joining): [joining.deadline, solitude].compactMap(\.self).min()
    case .joined(let joined): [joined.deadline(with: orders), solitude].compactMap(\.self).min()
    case .leaving(let leaving): leaving.nextDeadline
    }
  }

  package var isFinished: Bool { state == .finished }

  private mutating func start(_ now: MonotonicTime) {
    guard state == .idle else { return }
    contact = .heard(now)
    if settings.continues || settings.resumes { lateJoin = now }
    mutes = MuteLedger(record)
    switch record.verdict {
    case .superseded:
      state = .superseded
      actions.append(.report(.superseded))
    case .left: state = .left
    case .over(let reason): end(reason)
    case nil:
      state = .joining(Joining(step: .waiting(until: now)))
      if !record.unmuted.isEmpty { take(.unmute(record.unmuted), id: newID()) }
      // Until a hub says otherwise.
      publish(to: record.ingest)
    }
    let own = settings.muted.subtracting(mutes.muted(with: orders))
    if !own.isEmpty { take(.mute(own), id: newID()) }
  }

  /// Sends whatever is due, one request at a time.
  private mutating func pursue(_ now: MonotonicTime) {
    switch state {
    case .joining(let joining): pursue(joining, now)
    case .joined(let joined): pursue(joined, now)
    case .leaving(let leaving): pursue(leaving, now)
    case .idle, .superseded, .over, .left, .finished: break
    }
  }

  mutating func nextNumber() -> Int {
    number += 1
    return number
  }
}

// MARK: - What is in force

extension MembershipMachine {
  /// The record comes first: what depends on it follows.
  private mutating func takeActions(_ now: MonotonicTime) -> [Action] {
    guard state != .idle else { return [] }
    var first: [Action] = []
    let muted = mutes.muted(with: orders)
    record.note(mutes, own: mutes.own(with: orders))
    record.ingest = published
    if mustRemember(now) {
      first.append(.remember(record))
      (remembered, rememberedAt) = (record, now)
    }
    if muted != inForce {
      inForce = muted
      first.append(.mute(muted))
    }
    defer { actions = [] }
    return first + actions
  }

  private func mustRemember(_ now: MonotonicTime) -> Bool {
    guard let remembered else { return true }
    if record.differsInForce(from: remembered) { return true }
    return record != remembered && now >= rememberedAt + Self.rememberInterval
  }

  mutating func publish(to addresses: [Session.Rendition: String]) {
    for rendition in Session.Rendition.allCases where addresses[rendition] != published[rendition] {
      actions.append(addresses[rendition].map { .publish(rendition, to: $0) } ?? .unpublish(rendition))
    }
    published = addresses
  }

  mutating func unpublish() { publish(to: [:]) }

  /// Out of the session: what others wanted is no longer their business.
  mutating func goOnAlone() {
    mutes.goOnAlone(with: orders)
    for entry in orders.removeAll() { answerAlone(entry.order, id: entry.id) }
    screen.isShared = false
    noteReady { $0.clear() }
    (role, endsAt) = (nil, nil)
  }

  /// The broadcast has lost its session, by its end.
  mutating func end(_ reason: Session.EndReason?) {
    closeStream()
    goOnAlone()
    state = .over(reason)
    record.verdict = .over(reason)
    actions.append(.report(.over(reason)))
    switch settings.afterSession {
    case .endBroadcast: actions.append(.endBroadcast)
    case .goOn: unpublish()
    }
  }

  /// Letters and digits.
  static func randomText(_ length: Int, using randomness: inout any RandomNumberGenerator) -> String {
    let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String(
      (0..<length).map { _ in characters[Int.random(in: characters.indices, using: &randomness)] })
  }
}

extension MuteLedger {
  fileprivate init(_ record: MembershipRecord) {
    self.init(bySelf: record.mutedBySelf)
    byOthers = record.mutedByOthers
    asked = record.asked
    lift(record.lifted)
  }
}

extension MembershipRecord {
  fileprivate mutating func note(_ mutes: MuteLedger, own: Set<TrackKind>) {
    mutedBySelf = own
    unmuted = mutes.bySelf.subtracting(own)
    mutedByOthers = mutes.byOthers
    lifted = mutes.lifted
    asked = mutes.asked
  }
}

/// Whether the box shows its screen, and whether the session knows.
struct ScreenLedger: Hashable {
  /// At the source, as it was reported last.
  var isShown = false
  /// As the hub has said it last.
  var isShared = false
  /// What the source was asked for and has not answered.
  var requested: Bool?

  /// As the hub will have it once everything asked for on the box is done.
  func isShared(with orders: CommandQueue) -> Bool {
    orders.entries.reduce(isShared) { shared, entry in
      switch entry.order {
      case .share(let shares): shares
      case .mute, .unmute, .answer, .rename, .ready: shared
      }
    }
  }
}
