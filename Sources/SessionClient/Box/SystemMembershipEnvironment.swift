import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastSession

/// A member with a real broadcast.
struct SystemMembershipEnvironment: ConnectedEnvironment {
  var hub: HubConnections
  let sounds: SoundReports
  let broadcaster: Broadcaster
  let records: MembershipRecords?
  let broadcast: @Sendable () -> String
  let shown: Locked<MembershipSnapshot?>
  let othersReady: OthersReady
  let askPerson: @Sendable (_ isWrong: Bool) -> Void
  /// As it was read last.
  private(set) var password: String?
  /// Of a programme.
  private(set) var stage: SessionStage?
  let note: @Sendable (String) -> Void
  /// The session has ended, and ends the broadcast.
  let sessionEnded: @Sendable () -> Void
  /// What was reported and no person was asked for yet.
  private(set) var mustAskPerson = false

  func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime) {
    switch request {
    case .beat(let lease, _): sounds.use(lease)
    case .leave: sounds.use(nil)
    case .join, .command: break
    }
    hub.requests.send(number, request, within: limit)
  }

  mutating func note(_ event: MembershipMachine.Event) {
    guard let before = stage else { return }
    stage?.note(event)
    guard let stage, stage != before, stage.isKnown else { return }
    if !before.isKnown, !stage.canPlay {
      note(
        "the session's hub plays nobody, so its programme has no tiles: start it with its media server, or --play"
      )
    }
    broadcaster.programme.follow(Cast(stage))
  }

  /// Where it was read from there may be a new one by now; else a person is asked, once for each that is missing or wrong.
  mutating func askPassword(isWrong: Bool) {
    if let read = hub.place.password(), !isWrong || read != password {
      password = read
      return hub.post(.passwordGiven(read))
    }
    guard mustAskPerson else { return }
    mustAskPerson = false
    askPerson(isWrong)
  }

  func remember(_ record: MembershipRecord) {
    do throws(SystemError) {
      try records?.write(record, of: broadcast())
    } catch {
      note(
        "the membership of the session is not kept, so that after a crash this box is a new member: \(error)")
    }
  }

  func mute(_ tracks: Set<TrackKind>) {
    // A track that there is not has nothing to mute.
    for track in TrackKind.allCases { try? broadcaster.mute(track, tracks.contains(track)) }
  }

  func showScreen(_ isShown: Bool) {
    broadcaster.showScreen(isShown) { [hub, broadcaster, note] error in
      if let error {
        note("the session wants the screen \(isShown ? "shown" : "hidden"), and this box can't: \(error)")
      }
      hub.post(.screenSwitched(isShown: broadcaster.showsScreen))
    }
  }

  func publish(_ rendition: Session.Rendition, to address: String) {
    do throws(OutputAddress.Problem) {
      broadcaster.move(SessionOutput(rendition), to: try OutputAddress(address))
    } catch {
      note("the session's hub gave an address that can't be published to: \(error.what)")
    }
  }

  func unpublish(_ rendition: Session.Rendition) { broadcaster.move(SessionOutput(rendition), to: nil) }

  func endBroadcast() {
    sessionEnded()
    broadcaster.handle(.sharedSessionOver)
  }

  mutating func report(_ report: MembershipReport) {
    if case .waiting(.password) = report { mustAskPerson = true }
    if case .othersReady(let count) = report { othersReady.set(count) }
    broadcaster.tell(MembershipEvent(report))
  }

  func show(_ snapshot: MembershipSnapshot) { shown.withLock { $0 = snapshot } }
}

extension Cast {
  fileprivate init(_ stage: SessionStage) {
    self.init(
      stage.performers.map { performer in
        guard let performer, let address = performer.address, let video = VideoSelection(address),
          let audio = AudioSelection(address)
        else { return nil }
        return Part(
          id: performer.id.text, TileRequest(name: performer.name, video: video, audio: audio),
          isMuted: performer.isMuted)
      }, large: stage.large?.text)
  }
}

extension SessionOutput {
  fileprivate init(_ rendition: Session.Rendition) {
    self =
      switch rendition {
      case .main: .main
      case .small: .small
      }
  }
}

extension MembershipEvent {
  fileprivate init(_ report: MembershipReport) {
    self.init(name: report.name, fields: report.fields, text: report.text, importance: report.importance)
  }
}
