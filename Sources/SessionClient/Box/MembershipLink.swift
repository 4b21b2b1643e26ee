package import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
package import HoldfastMembership
package import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import HoldfastSession

/// A broadcaster's place in a session: tells the hub how the broadcast is, and the broadcast what the session wants.
package final class MembershipLink: Sendable {
  private let loop: EventLoop<MembershipMachine.Event>
  private let requests: HubRequests
  private let broadcaster: Broadcaster
  private let shown = Locked<MembershipSnapshot?>(nil)
  private let told = Locked(Told())
  private let settings: MembershipMachine.Settings
  private let environment: SystemMembershipEnvironment
  private let key: String?
  private let records: MembershipRecords?
  private let note: @Sendable (String) -> Void

  private struct Told: Sendable {
    var report = Session.Member.Report()
    var nextFigures = MonotonicTime(nanoseconds: 0)
    var haveSourcesOpened = false
    var hasStarted = false
  }

  private static let figuresInterval = MediaTime.seconds(5)

  /// `journals` is the folder of what outlives the process; without it, the member is who has `key`, or a new one.
  /// `note` shows a line to people; `askPassword` asks one of them, if there is one, who answers by `use`.
  package init(
    _ settings: MembershipMachine.Settings, _ place: HubRequests.Place, journals: String?, key: String? = nil,
    controlling broadcaster: Broadcaster, othersReady: OthersReady,
    askPassword: (@Sendable (_ isWrong: Bool) -> Void)? = nil, note: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    self.settings = settings
    self.broadcaster = broadcaster
    self.key = key
    self.note = note
    let records = journals.map { MembershipRecords(folder: $0, session: place.address.description) }
    self.records = records
    let loop = EventLoop<MembershipMachine.Event>()
    self.loop = loop
    let post: @Sendable (MembershipMachine.Event) -> Void = { loop.post($0) }
    let requests = try HubRequests(place, post: post)
    self.requests = requests
    environment = SystemMembershipEnvironment(
      hub: HubConnections(place, requests, post: post), broadcaster: broadcaster, records: records,
      shown: shown, othersReady: othersReady, askPerson: askPassword ?? { _ in }, note: note)
  }

  /// Joins with the first that is heard of a broadcast, and tries until it has: nothing waits for that.
  ///
  /// A broadcast that goes on after a crash goes on as the member that it was; another one begins anew, whatever became
  /// of the one before.
  private func start(for broadcast: String) {
    let isFirst = told.withLock { told in
      defer { told.hasStarted = true }
      return !told.hasStarted
    }
    guard isFirst else { return }
    let kept = records?.read()
    let record = kept?.record ?? key.map(MembershipRecord.init)
    var settings = settings
    settings.continues = kept?.broadcast == broadcast
    settings.muted = mutedTracks
    loop.post(.started)
    do throws(SystemError) {
      try loop.start(name: "session") { [environment, settings] in
        MembershipLoop(driver: MembershipDriver(settings, record: record, environment))
      }
    } catch {
      note("this box can't join the session: \(error)")
    }
  }

  /// Leaves the session, within a short time.
  package func finish() {
    if told.withLock({ $0.hasStarted }) {
      loop.post(.broadcastEnded)
      loop.join()
    }
    requests.stop()
  }

  package var snapshot: MembershipSnapshot? { shown.withLock { $0 } }

  /// What is asked for on this box.
  package func order(_ order: MembershipMachine.Order) {
    loop.post(.ordered(order, id: hexadecimal(randomBytes(8))))
  }

  package func use(password: String) { loop.post(.passwordGiven(password)) }

  package func leave() { loop.post(.leaveRequested) }

  @Sendable package func observe(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line):
      start(for: line.broadcast)
      if case .device(_, .open, _) = line.event { sourcesOpened() }
      if case .live = line.event { sourcesOpened() }
      report()
    case .snapshot(let snapshot):
      report()
      let isDue = told.withLock { told in
        guard told.nextFigures <= .now else { return false }
        told.nextFigures = .now + Self.figuresInterval
        return true
      }
      if isDue { loop.post(.measured(snapshot.figuresForSession)) }
    case .note, .warning, .offAir: break
    }
  }

  private func sourcesOpened() {
    let isFirst = told.withLock { told in
      defer { told.haveSourcesOpened = true }
      return !told.haveSourcesOpened
    }
    if isFirst { loop.post(.sourcesOpened) }
  }

  private var mutedTracks: Set<TrackKind> { Set(broadcaster.tracks.filter(\.value.isMuted).keys) }

  private func report() {
    var report = Session.Member.Report()
    report.condition = Session.Member.Condition(broadcaster.state)
    report.muted = mutedTracks
    let isNew = told.withLock { told in
      defer { told.report = report }
      return told.report != report
    }
    if isNew { loop.post(.reported(report)) }
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
  fileprivate var figuresForSession: JSONValue {
    [
      "mediaTime": JSONValue(mediaTime), "bitrate": .integer(Int64(bitsPerSecond)),
      "outputs": .list(
        outputs.map {
          ["id": .text($0.id), "state": .text($0.figures.condition.state.rawValue)]
        }),
      "losing": JSONValue(losing.count), "disk": JSONValue(disk?.name),
    ]
  }
}
