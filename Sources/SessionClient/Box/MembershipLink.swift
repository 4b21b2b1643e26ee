package import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
package import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import HoldfastSession

/// A broadcaster's place in a session: tells the hub how the broadcast is, and the broadcast what the session wants.
///
/// Each broadcast is a member anew. It goes on as the same one through interruptions, the background, and a crash; and the
/// first one joins with its preview already.
package final class MembershipLink: Sendable {
  private let settings: MembershipMachine.Settings
  private let place: HubRequests.Place
  private let records: MembershipRecords?
  private let key: String?
  private let broadcaster: Broadcaster
  private let othersReady: OthersReady
  private let askPerson: @Sendable (_ isWrong: Bool) -> Void
  private let note: @Sendable (String) -> Void
  private let shown = Locked<MembershipSnapshot?>(nil)
  private let told: Locked<Told>

  private struct Told: Sendable {
    var stage = Stage.none
    /// The broadcast whose end is the end of the membership.
    var begun: String?
    var report: Session.Member.Report?
    var showsScreen = false
    var nextFigures = MonotonicTime(nanoseconds: 0)
    var haveSourcesOpened = false
    var password: String?

    /// A broadcast that begins from now on joins anew, also where none was live that could end.
    mutating func end(_ membership: BoxMembership) {
      if case .member(let current) = stage, current === membership { stage = .over(membership) }
    }

    /// What was told of before is news to another membership.
    mutating func begin(_ membership: BoxMembership) {
      stage = .member(membership)
      (report, showsScreen, haveSourcesOpened) = (nil, false, false)
    }
  }

  private enum Stage: Sendable {
    case none
    case member(BoxMembership)
    /// It leaves, or has left.
    case over(BoxMembership)

    var membership: BoxMembership? {
      switch self {
      case .none: nil
      case .member(let membership), .over(let membership): membership
      }
    }
  }

  private static let figuresInterval = MediaTime.seconds(5)

  /// `journals` is the folder of what outlives the process; without it, the member is who has `key`, or a new one.
  /// `note` shows a line to people; `askPassword` asks one of them, if there is one, who answers by `use`.
  package init(
    _ settings: MembershipMachine.Settings, _ place: HubRequests.Place, journals: String?, key: String? = nil,
    controlling broadcaster: Broadcaster, othersReady: OthersReady,
    askPassword: (@Sendable (_ isWrong: Bool) -> Void)? = nil, note: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.place = place
    self.broadcaster = broadcaster
    self.othersReady = othersReady
    self.key = key
    self.note = note
    askPerson = askPassword ?? { _ in }
    records = journals.map { MembershipRecords(folder: $0, session: place.address.description) }
    told = Locked(Told(password: settings.password))
  }

  /// Leaves the session, within a short time.
  package func finish() { told.withLock { $0.stage.membership }?.finish() }

  package var snapshot: MembershipSnapshot? { shown.withLock { $0 } }

  /// What is asked for on this box.
  package func order(_ order: MembershipMachine.Order) {
    let id = hexadecimal(randomBytes(8))
    if told.withLock({ $0.stage.membership })?.post(.ordered(order, id: id)) == true { return }
    switch order {
    case .mute(let tracks): mute(tracks, true)
    case .unmute(let tracks): mute(tracks, false)
    // Between two memberships nobody hears of it.
    case .answer, .rename, .share, .ready: break
    }
  }

  private func mute(_ tracks: Set<TrackKind>, _ isMuted: Bool) {
    for track in tracks { try? broadcaster.mute(track, isMuted) }
  }

  package func use(password: String) {
    told.withLock { $0.password = password }
    post(.passwordGiven(password))
  }

  package func leave() { post(.leaveRequested) }

  private func post(_ event: MembershipMachine.Event) {
    if case .member(let membership) = told.withLock({ $0.stage }) { membership.post(event) }
  }

  @Sendable package func observe(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line):
      follow(line)
      if line.event.showsOpenSources { sourcesOpened() }
      report()
    case .snapshot(let snapshot):
      report()
      let isDue = told.withLock { told in
        guard told.nextFigures <= .now else { return false }
        told.nextFigures = .now + Self.figuresInterval
        return true
      }
      if isDue { post(.measured(snapshot.figuresForSession(broadcaster.tracks))) }
    case .note, .warning, .offAir: break
    }
  }

  /// A programme is none of those that others wait for.
  private func sourcesOpened() {
    guard settings.kind != .programme else { return }
    if isNews(\.haveSourcesOpened, true) { post(.sourcesOpened) }
  }

  private func report() {
    let lacking = Set(TrackKind.allCases).subtracting(broadcaster.tracks.keys)
    let report = Session.Member.Report(
      Session.Member.Condition(broadcaster.state), muted: mutedTracks, lacking: lacking,
      givesSmall: broadcaster.isPublishing(.small) && !lacking.contains(.video))
    if isNews(\.report, report) { post(.reported(report)) }
    let showsScreen = broadcaster.showsScreen
    if isNews(\.showsScreen, showsScreen) { post(.screenShown(showsScreen)) }
  }

  /// Whether the hub was told something else.
  private func isNews<Value: Equatable>(_ path: WritableKeyPath<Told, Value>, _ value: Value) -> Bool {
    told.withLock { told in
      defer { told[keyPath: path] = value }
      return told[keyPath: path] != value
    }
  }

  private var mutedTracks: Set<TrackKind> { Set(broadcaster.tracks.filter(\.value.isMuted).keys) }
}

// MARK: - One membership after another

extension MembershipLink {
  private func follow(_ line: EventLine) {
    if case .ended(let reason, _, _) = line.event { return ended(line.broadcast, reason) }
    // What becomes of an earlier process's broadcast, or of one that is closing.
    guard line.broadcast == broadcaster.broadcastID else { return }
    let isStart = line.event == .starting
    let (new, before) = told.withLock { told -> (BoxMembership?, Stage) in
      let before = told.stage
      switch before {
      case .member: break
      case .over where !isStart: return (nil, before)
      case .none:
        told.begun = broadcaster.resumedID
        told.begin(BoxMembership(of: broadcaster.resumedID ?? line.broadcast))
      case .over: told.begin(BoxMembership(of: line.broadcast))
      }
      if isStart { told.begun = line.broadcast }
      return (told.stage.membership, before)
    }
    guard let new else { return }
    switch before {
    case .none: begin(new, after: nil)
    case .over(let previous): begin(new, after: previous)
    case .member: if new.broadcast != line.broadcast { new.go(on: line.broadcast) }
    }
  }

  /// Joins, and tries until it has: nothing waits for that.
  ///
  /// A broadcast that goes on after a crash goes on as the member that it was; another one begins anew, whatever became
  /// of the one before.
  private func begin(_ membership: BoxMembership, after previous: BoxMembership?) {
    othersReady.set(0)
    if broadcaster.tracks.values.contains(where: { $0.device == .open }) { sourcesOpened() }
    let resumed = previous == nil ? broadcaster.resumedID : nil
    do throws(SystemError) {
      let isHeard = settings.kind != .programme
      let listen: @Sendable () -> [Double] = { [broadcaster] in isHeard ? broadcaster.takeLoudness() : [] }
      try membership.start(at: place, listen: listen) { [self] hub, sounds in
        previous?.finish()
        let kept = records?.read()
        var settings = settings
        settings.resumes = resumed != nil
        settings.continues = settings.resumes && kept?.broadcast == resumed
        settings.muted = mutedTracks
        settings.password = told.withLock { $0.password }
        let environment = SystemMembershipEnvironment(
          hub: hub, sounds: sounds, broadcaster: broadcaster, records: records,
          broadcast: { membership.broadcast },
          shown: shown, othersReady: othersReady, askPerson: askPerson,
          password: settings.password,
          stage: settings.kind == .programme ? SessionStage(.twelve) : nil, note: note,
          sessionEnded: { [told] in told.withLock { $0.end(membership) } })
        return MembershipLoop(
          driver: MembershipDriver(
            settings, record: kept?.record ?? key.map(MembershipRecord.init), environment))
      }
    } catch {
      note("this box can't join the session: \(error)")
      previous?.finish()
    }
  }

  private func ended(_ broadcast: String, _ reason: BroadcastEvent.EndReason) {
    switch reason {
    // It begins again by itself.
    case .background, .windowClosed, .interruptedStart, .crash: return
    case .stopped, .duration, .sessionOver, .sourceEnded, .failed, .gateRefused, .gateTimedOut: break
    }
    let ended = told.withLock { told -> BoxMembership? in
      guard broadcast == told.begun, case .member(let membership) = told.stage else { return nil }
      told.stage = .over(membership)
      return membership
    }
    ended?.post(.broadcastEnded)
  }
}

extension BroadcastEvent {
  /// A test picture and a file are ready as they are: where nothing has to be opened, the gate's question is the sign.
  fileprivate var showsOpenSources: Bool {
    switch self {
    case .device(_, .open, _), .live, .gate(.asked, _, _): true
    default: false
    }
  }
}

extension Session.Member.Condition {
  fileprivate init(_ state: Lifecycle.State) {
    self =
      switch state {
      case .idle: .idle
      case .previewing: .previewing
      case .starting: .starting
      case .live: .live
      case .interrupted: .interrupted
      case .backgrounded: .backgrounded
      case .ending: .ending
      case .ended: .ended
      }
  }
}

extension Snapshot {
  /// What others in the session see of the box.
  fileprivate func figuresForSession(_ sources: [TrackKind: TrackStatus]) -> JSONValue {
    [
      "mediaTime": JSONValue(mediaTime), "bitrate": .integer(Int64(bitsPerSecond)),
      "outputs": .list(
        outputs.map {
          [
            "id": .text($0.id), "state": .text($0.figures.condition.state.rawValue),
            "cause": JSONValue($0.figures.condition.cause?.name),
          ]
        }),
      "devices": .object(
        TrackKind.allCases.compactMap { track in
          sources[track].map { JSONValue.Field(track.rawValue, .text($0.device.rawValue)) }
        }),
      "losing": JSONValue(losing.count),
      "causes": .list(Set(losing.map(\.cause.rawValue)).sorted().map(JSONValue.text)),
      "disk": JSONValue(disk?.name),
    ]
  }
}
