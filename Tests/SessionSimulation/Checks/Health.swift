import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// What has to be true a minute after the last fault has healed.
struct Health {
  private let cast: Cast
  private let world: SessionWorld

  /// From the last trouble to its recovery.
  private static let recovery: Int64 = .s(60)

  init(_ cast: Cast) {
    self.cast = cast
    world = cast.world
  }

  func check() { for session in cast.sessions where world.problem == nil { check(session) } }

  private func check(_ session: SimulatedSession) {
    let truth = cast.monitor.truth(of: session.name)
    let loaded = cast.store.session(session.name)
    let due = session.boxes.filter { $0.isRunning && world.now - $0.troubledAt > Self.recovery }
    let inside = due.filter { !["superseded", "over", "left", "leaving"].contains($0.state) }
    guard let meeting = loaded?.session.meeting else {
      let isHosted = session.persons.contains {
        $0.credential.mayBeHost && world.now - $0.troubledAt > Self.recovery
      }
      return cast.monitor.expect(
        inside.isEmpty || !isHosted, session.name, "the session is lost, but \(inside.map(\.label)) are there"
      )
    }
    for box in inside { check(box, meeting) }
    for box in due { checkBroadcast(box) }
    let candidates = meeting.present.filter { $0.credential.mayBeHost && $0.kind != .programme }
    cast.monitor.expect(
      meeting.hostID != nil || candidates.isEmpty, session.name, "nobody is host though somebody may be")
    checkReaders(session, truth)
  }

  private func check(_ box: SimulatedBox, _ meeting: Session.Meeting) {
    func expect(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
      cast.monitor.expect(isTrue, box.session.name, "\(box.label) \(claim())")
    }
    guard box.state == "joined", let id = box.snapshot?.member else {
      return expect(false, "is \(box.state) (\(box.snapshot?.why ?? ""))")
    }
    guard let member = meeting[id], member.isPresent else { return expect(false, "is joined, but not in") }
    expect(
      box.snapshot?.role == meeting.role(of: member),
      "thinks it is \(box.snapshot?.role?.rawValue ?? "nothing")")
    expect(box.output?.contains(id.text) == true, "publishes to \(box.output ?? "nothing")")
    expect(box.disk?.member == id && box.disk?.lease != nil, "has not written down who it is")
    expect(member.reported.condition == .live, "is said to be \(member.reported.condition)")
    guard world.now - cast.monitor.truth(of: box.session.name).muteAskedAt > .s(30) else { return }
    expect(box.muted == member.mute.muted, "mutes \(box.muted) where \(member.mute) is wanted")
    expect(
      box.muted == member.reported.muted, "mutes \(box.muted), and is said to mute \(member.reported.muted)")
  }

  /// It records, and nothing is on air in a session that has put it out.
  private func checkBroadcast(_ box: SimulatedBox) {
    cast.monitor.expect(box.broadcast?.recordsSince != nil, box.session.name, "\(box.label) does not record")
    if box.state == "superseded" || box.state == "left" {
      cast.monitor.expect(box.output == nil, box.session.name, "\(box.label) is \(box.state) and publishes")
    }
  }

  /// Everybody has read what is older than a few seconds.
  private func checkReaders(_ session: SimulatedSession, _ truth: SessionTruth) {
    let last = truth.order.newest(before: world.now - .s(10))
    var readers: [Endpoint] = session.boxes.filter { $0.state == "joined" }
    if session.hasReadingPersons { readers += session.persons.filter(\.isJoined) }
    for reader in readers where world.now - reader.troubledAt > Self.recovery {
      guard let stream = reader.stream, stream.isOpen else {
        cast.monitor.expect(false, session.name, "\(reader.number) reads no events")
        continue
      }
      guard let cursor = stream.cursor else { continue }
      let epoch = truth.order.epoch
      cast.monitor.expect(
        cursor.epoch >= epoch && (cursor.epoch > epoch || cursor.sequence >= last), session.name,
        "\(reader.number) has read up to \(cursor), but there is \(last) of \(epoch)")
    }
  }
}
