import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastSession

/// A member behind real connections, of a real broadcast.
struct SystemMembershipEnvironment: MembershipEnvironment {
  let place: HubRequests.Place
  let requests: HubRequests
  let broadcaster: Broadcaster
  let records: MembershipRecords?
  let shown: Locked<MembershipSnapshot?>
  let othersReady: OthersReady
  let note: @Sendable (String) -> Void
  let post: @Sendable (MembershipMachine.Event) -> Void
  private var streams: [Int: HubStream] = [:]

  init(
    _ place: HubRequests.Place, _ requests: HubRequests, _ broadcaster: Broadcaster,
    records: MembershipRecords?, shown: Locked<MembershipSnapshot?>, othersReady: OthersReady,
    note: @escaping @Sendable (String) -> Void, post: @escaping @Sendable (MembershipMachine.Event) -> Void
  ) {
    (self.place, self.requests, self.broadcaster, self.records) = (place, requests, broadcaster, records)
    (self.shown, self.othersReady, self.note, self.post) = (shown, othersReady, note, post)
  }

  func join(_ number: Int, _ request: Session.JoinRequest, within limit: MediaTime) {
    requests.join(number, request, within: limit)
  }

  func beat(_ number: Int, lease: String, _ request: Session.BeatRequest, within limit: MediaTime) {
    requests.beat(number, lease: lease, request, within: limit)
  }

  func command(_ number: Int, lease: String, _ request: Session.CommandRequest, within limit: MediaTime) {
    requests.command(number, lease: lease, request, within: limit)
  }

  func leave(_ number: Int, lease: String, within limit: MediaTime) {
    requests.leave(number, lease: lease, within: limit)
  }

  mutating func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime) {
    do throws(SystemError) {
      streams[number] = try HubStream(
        number, requests.events(lease: lease, after: event), at: place, silence: silence, post: post)
    } catch {
      post(.streamClosed(number, .unreachable("\(error)")))
    }
  }

  mutating func closeStream(_ number: Int) { streams.removeValue(forKey: number)?.close() }

  func changeHub() { requests.reconnect() }

  /// A password comes by `holdfast ctl session-password`, the page or the file of the next start.
  func askPassword(isWrong: Bool) {}

  func remember(_ record: MembershipRecord) {
    do throws(SystemError) {
      try records?.write(record)
    } catch {
      note(
        "the membership of the session is not kept, so that after a crash this box is a new member: \(error)")
    }
  }

  func mute(_ tracks: Set<TrackKind>) {
    // A track that there is not has nothing to mute.
    for track in TrackKind.allCases { try? broadcaster.mute(track, tracks.contains(track)) }
  }

  func publish(to address: String) {
    do throws(OutputAddress.Problem) {
      broadcaster.moveSessionOutput(to: try OutputAddress(address))
    } catch {
      note("the session's hub gave an address that can't be published to: \(error.what)")
    }
  }

  func unpublish() { broadcaster.moveSessionOutput(to: nil) }

  func endBroadcast() { broadcaster.handle(.sharedSessionOver) }

  func report(_ report: MembershipReport) {
    if case .othersReady(let count) = report { othersReady.set(count) }
    broadcaster.tell(MembershipEvent(report))
  }

  func show(_ snapshot: MembershipSnapshot) { shown.withLock { $0 = snapshot } }

  mutating func finish() {
    for stream in streams.values { stream.close() }
    streams = [:]
  }
}

extension MembershipEvent {
  fileprivate init(_ report: MembershipReport) {
    let importance: Importance =
      switch report.importance {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      }
    self.init(name: report.name, fields: report.fields, text: report.text, importance: importance)
  }
}
