import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestVirtualTime

/// A person at a page: joins, beats, reads, gives commands, and comes back after whatever happened.
final class SimulatedPerson: Endpoint {
  private enum State {
    case away
    case joining
    case joined(Session.Member.ID, lease: String)
  }

  private var state = State.away
  private var key = ""
  private var password: String?
  private var proof: String?
  private var keys = 0
  private var orders = 0
  private var last = ""
  /// What was asked for and not answered; asked again with the same id.
  private var pending: Session.CommandRequest?
  private var isAsking = false
  private var streamNumber = 0

  var isJoined: Bool { member != nil }
  var member: Session.Member.ID? {
    if case .joined(let id, _) = state { id } else { nil }
  }

  /// Opens the page, which makes a key for the session.
  func come() {
    keys += 1
    key = "person \(number) \(keys) key key key".filter { $0 != " " }
    proof = nil
    reload()
  }

  /// The tab goes on with its key.
  func reload() {
    newProcess()
    state = .away
    isAsking = false
    join()
  }

  private func join(after delay: Int64 = 0) {
    later(delay) { [self] in
      guard case .away = state else { return }
      state = .joining
      let request = Session.JoinRequest(
        key: key, name: "Person \(number)", kind: .person, password: password, proof: proof)
      send({ [self] hub in hub.join(request, by: self) }, joined)
    }
  }

  private func joined(_ answer: Answer<Session.JoinAnswer>?) {
    state = .away
    switch answer {
    case .success(let answer):
      state = .joined(answer.member, lease: answer.place.lease)
      proof = answer.place.proof
      last = answer.place.lastEvent
      beatLater()
      read()
      ask()
    case .failure(let failure): comeBack(failure)
    case nil: join(after: world.randomness.time(.s(1), .s(5)))
    }
  }

  private func comeBack(_ failure: HoldfastMembership.HubFailure) {
    closeStream()
    state = .away
    guard case .refused(let refusal) = failure else { return join(after: .s(2)) }
    switch refusal.code {
    case "leaseOver", "leaseForged": join(after: world.randomness.time(0, .s(2)))
    case "sessionOver", "superseded": again(after: world.randomness.time(.s(5), .s(30)))
    case "passwordNeeded", "passwordWrong":
      password = session.password(monitor)
      join(after: world.randomness.time(.s(1), .s(3)))
    case "removed": join(after: .s(30))
    default: join(after: world.randomness.time(.s(2), .s(10)))
    }
  }

  private func again(after delay: Int64) { later(delay) { [self] in come() } }

  private func beatLater() {
    later(world.randomness.time(.s(4), .s(6))) { [self] in
      guard case .joined(_, let lease) = state else { return }
      let beat = Session.BeatRequest(Session.Member.Report())
      send({ [self] hub in hub.beat(beat, lease: lease, by: self) }, { [self] in beaten($0, lease) })
    }
  }

  private func beaten(_ answer: Answer<Session.BeatAnswer>?, _ lease: String) {
    guard case .joined(let id, lease) = state else { return }
    switch answer {
    case .success(let answer):
      proof = answer.place.proof
      state = .joined(id, lease: answer.place.lease)
      beatLater()
    case .failure(.refused(let refusal)) where refusal.code == "storeAway": beatLater()
    case .failure(let failure): comeBack(failure)
    case nil: beatLater()
    }
  }

  // MARK: - Events

  private func read() {
    guard case .joined(_, let lease) = state, stream == nil, session.hasReadingPersons else { return }
    streamNumber += 1
    let number = streamNumber
    send({ [self] hub in hub.openStream(number, lease: lease, after: last, by: self) }) { [self] answer in
      guard case .joined = state, number == streamNumber else {
        if case .success(let open) = answer { open.close() }
        return
      }
      // It may have ended while the answer was on its way.
      if case .success(let open) = answer, open.isOpen {
        stream = open
        return open.accept()
      }
      readLater()
    }
  }

  private func readLater() { later(world.randomness.time(.s(1), .s(5))) { [self] in read() } }

  override func streamed(_ number: Int, _ event: HubEvent) { if let id = event.id { last = "\(id)" } }

  override func streamEnded(_ number: Int) {
    guard stream?.number == number else { return }
    stream = nil
    readLater()
  }

  // MARK: - Commands

  func order(_ command: Session.CommandRequest.Given) {
    guard pending == nil, isJoined else { return }
    orders += 1
    pending = Session.CommandRequest(command, requestID: "\(number)-\(orders)")
    ask()
  }

  /// A command that adds what others count.
  func makeEvent() {
    orders += 1
    guard let event = try? Session.CustomEvent(name: "event \(number)-\(orders)") else { return }
    order(.command(.event(event)))
  }

  func extend(by time: MediaTime) { order(.command(.extend(time, request: "\(number)-\(orders + 1)"))) }

  private func ask() {
    guard let pending, !isAsking, case .joined(_, let lease) = state else { return }
    isAsking = true
    world.note("person \(number) asks for \(pending.word.rawValue)")
    send({ [self] hub in hub.command(pending, lease: lease, by: self) }) { [self] answer in
      isAsking = false
      asked(answer)
    }
  }

  private func asked(_ answer: Answer<[String]>?) {
    func repeatLater() { later(world.randomness.time(.ms(500), .s(3))) { [self] in ask() } }
    switch answer {
    case nil: repeatLater()
    case .failure(.refused(let refusal)) where refusal.code == "storeAway": repeatLater()
    case .failure(let failure):
      pending = nil
      if case .refused(let refusal) = failure,
        ["leaseOver", "sessionOver", "superseded", "removed"].contains(refusal.code), isJoined
      {
        comeBack(failure)
      }
    case .success:
      if pending?.word == .leave {
        state = .away
        closeStream()
        again(after: world.randomness.time(.s(5), .s(60)))
      }
      pending = nil
    }
  }
}
