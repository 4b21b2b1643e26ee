import CEpoll
import Glibc
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import TestSupport
import TestVirtualTime

/// Ten thousand members on one thread. They ask and retry as boxes do (`HubRetryPolicy`), and read of the answers only
/// what that takes.
final class Crowd {
  let members: [CrowdMember]
  let readers: [EventReader]
  private(set) var figures = CrowdFigures()
  private let poll: Int32
  private let port: UInt16
  private let tls: ClientTLS?
  private let policy = HubRetryPolicy()
  private var randomness = SystemRandomNumberGenerator()
  private var agenda = Agenda()
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var ready = [UInt32](repeating: 0, count: 512)
  private var beats = 0
  private var nextTimeoutCheck = MonotonicTime.now
  /// While false, members beat and change nothing.
  var changesReports = false
  /// Members that have not joined yet, in order.
  private var outside: ArraySlice<CrowdMember> = []
  private(set) var openReaders = 0

  private static let requestTimeout = MediaTime.seconds(10)
  private static let joinsAtOnce = 32

  init(_ members: [CrowdMember], port: UInt16, tls: ClientTLS?) throws {
    self.members = members
    self.port = port
    self.tls = tls
    readers = (0..<members.count / CrowdMember.perSession).map { EventReader(session: $0) }
    poll = cepoll_create()
    guard poll >= 0 else { throw TestFailure("epoll: \(String(cString: strerror(errno)))") }
  }

  deinit { Glibc.close(poll) }

  /// Forgets what was measured, and returns it.
  func takeFigures() -> CrowdFigures {
    defer { figures = CrowdFigures() }
    return figures
  }

  /// How many have had an answer to a beat since `forgetAnswers`.
  var heard: Int { members.count { $0.firstHeard != nil } }

  func forgetAnswers() { for member in members { member.firstHeard = nil } }

  /// Connects the hosts, who ask for nothing yet.
  func openConnections() {
    for member in members where member.isHost {
      member.connection = connect(from: member.source, as: member.index)
    }
  }

  /// Lets members join, a few at a time: first all hosts, then all second members.
  func beginJoining() {
    let ranks = 0..<CrowdMember.perSession
    outside = ranks.flatMap { rank in members.filter { $0.index % CrowdMember.perSession == rank } }[...]
    for _ in 0..<Self.joinsAtOnce { letNextIn() }
  }

  private func letNextIn() { if let next = outside.popFirst() { schedule(next, at: .now) } }

  var areAllIn: Bool { outside.isEmpty && members.allSatisfy { $0.lease != nil } }

  func openStreams() {
    for reader in readers {
      schedule(reader, at: .now + policy.random(in: .zero...(.seconds(2)), using: &randomness))
    }
  }

  // MARK: - The loop

  /// Lives until `deadline`, or until `isDone`, which is asked ten times a second.
  @discardableResult
  func live(until deadline: MonotonicTime, isDone: () -> Bool = { false }) -> Bool {
    var nextQuestion = MonotonicTime.now
    while true {
      let now = MonotonicTime.now
      if now >= nextQuestion {
        if isDone() { return true }
        nextQuestion = now + .milliseconds(100)
      }
      guard now < deadline else { return false }
      let next = min(agenda.next.map(MonotonicTime.init(nanoseconds:)) ?? deadline, nextQuestion, deadline)
      let wait = max(0, ((next - now).nanoseconds + 999_999) / 1_000_000)
      let count = cepoll_wait(poll, &ready, Int32(ready.count), Int32(wait))
      for index in 0..<Int(max(0, count)) { isReady(Int(ready[index])) }
      while let due = agenda.next, due <= MonotonicTime.now.nanoseconds { agenda.removeFirst()?.act() }
      if now >= nextTimeoutCheck {
        nextTimeoutCheck = now + .seconds(1)
        for member in members { endIfLate(member, now) }
      }
    }
  }

  private func isReady(_ owner: Int) {
    if owner < members.count { isReady(members[owner]) } else { isReady(readers[owner - members.count]) }
  }

  private func connect(from source: String, as owner: Int) -> ClientConnection? {
    guard let connection = try? ClientConnection(port: port, from: source, tls: tls) else { return nil }
    cepoll_add(poll, connection.descriptor, UInt32(owner))
    return connection
  }

  /// The bytes that have come; nil once the connection has failed or ended.
  private func receive(_ connection: ClientConnection, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
    while true {
      let received = buffer.withUnsafeMutableBytes { connection.receive(into: $0) }
      switch received {
      case .bytes(let count): buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      case .nothingYet: return true
      case .closed: return false
      }
    }
  }
}

// MARK: - Members

extension Crowd {
  private func schedule(_ member: CrowdMember, at due: MonotonicTime) {
    member.step = .waiting
    member.due = due
    // Unless it was scheduled anew.
    agenda.add(at: due.nanoseconds) { [unowned self, unowned member] in
      if member.due == due, case .waiting = member.step { attempt(member) }
    }
  }

  private func attempt(_ member: CrowdMember) {
    figures.noteAttempt(at: .now)
    member.asked = member.due
    if let connection = member.connection, connection.isOpen { return send(member, connection) }
    member.step = .connecting
    member.pending = []
    member.connection = connect(from: member.source, as: member.index)
    if member.connection == nil { failed(member) }
  }

  private func send(_ member: CrowdMember, _ connection: ClientConnection) {
    if member.wish == .beat, changesReports {
      beats += 1
      if beats.isMultiple(of: CrowdMember.beatsPerChange) { change(member) }
    }
    member.step = .asking(since: .now)
    guard connection.send(member.request) else { return lost(member) }
  }

  private func change(_ member: CrowdMember) {
    member.changeReport()
    if readers[member.session].isOpen { readers[member.session].expected.append(.now) }
  }

  private func isReady(_ member: CrowdMember) {
    guard let connection = member.connection else { return }
    if !connection.isOpen {
      guard connection.advance() else { return lost(member) }
      guard connection.isOpen else { return }
      figures.handshakes += 1
      if case .connecting = member.step { send(member, connection) }
      return
    }
    let isAlive = receive(connection) { bytes in
      if member.pending.isEmpty, let scan = ResponseScan(bytes) { return answered(member, scan, bytes) }
      member.pending += bytes
      member.pending.withUnsafeBytes { bytes in
        if let scan = ResponseScan(bytes) { answered(member, scan, bytes) }
      }
    }
    if !isAlive { lost(member) }
  }

  private func answered(_ member: CrowdMember, _ scan: ResponseScan, _ bytes: UnsafeRawBufferPointer) {
    defer { member.pending = [] }
    guard case .asking = member.step else { return }
    let now = MonotonicTime.now
    let latency = (now - member.asked).milliseconds
    figures.statuses[scan.status, default: 0] += 1
    guard scan.status == 200 else { return refused(member, bytes) }
    member.failures = 0
    switch member.wish {
    case .join:
      figures.joins.append(latency)
      guard let lease = bytes.text(after: "\"lease\":\"") else { return failed(member) }
      member.isIn(lease: lease)
      letNextIn()
      schedule(member, at: now)
    case .beat:
      figures.beats.append(latency)
      if member.firstHeard == nil { member.firstHeard = now }
      // From when it was due: a late answer does not make beats rarer.
      let next = member.asked + policy.beatDelay(Session.Limits.beat, using: &randomness)
      schedule(member, at: max(now, next))
    }
  }

  private func refused(_ member: CrowdMember, _ bytes: UnsafeRawBufferPointer) {
    let retryAfter = bytes.number(after: "Retry-After: ").map { MediaTime.seconds(Int64($0)) }
    if bytes.find("\"leaseOver\"") != nil {
      switch member.wish {
      case .join: member.joinAnew()
      case .beat:
        member.wish = .join
        return schedule(member, at: .now)
      }
    }
    failed(member, retryAfter: retryAfter)
  }

  private func failed(_ member: CrowdMember, retryAfter: MediaTime? = nil) {
    member.failures += 1
    let delay = policy.delay(afterFailures: member.failures, retryAfter: retryAfter, using: &randomness)
    schedule(member, at: .now + delay)
  }

  /// An idle connection that was closed is noticed with the next request.
  private func lost(_ member: CrowdMember) {
    member.connection = nil
    member.pending = []
    switch member.step {
    case .waiting: break
    case .connecting: failed(member)
    case .asking:
      figures.lostConnections += 1
      failed(member)
    }
  }

  private func endIfLate(_ member: CrowdMember, _ now: MonotonicTime) {
    switch member.step {
    case .waiting: return
    case .connecting: guard now > member.asked + Self.requestTimeout else { return }
    case .asking(let since): guard now > since + Self.requestTimeout else { return }
    }
    figures.timeouts += 1
    member.connection = nil
    failed(member)
  }
}

// MARK: - Event streams

extension Crowd {
  private func schedule(_ reader: EventReader, at due: MonotonicTime) {
    reader.due = due
    agenda.add(at: due.nanoseconds) { [unowned self, unowned reader] in
      if reader.due == due, reader.connection == nil { open(reader) }
    }
  }

  private func open(_ reader: EventReader) {
    let member = members[reader.session * CrowdMember.perSession]
    guard member.wish == .beat else { return close(reader) }
    reader.connection = connect(from: member.source, as: members.count + reader.session)
    if reader.connection == nil { close(reader) }
  }

  private func isReady(_ reader: EventReader) {
    guard let connection = reader.connection else { return }
    if !connection.isOpen {
      guard connection.advance() else { return close(reader) }
      guard connection.isOpen else { return }
      let isSent = connection.send(members[reader.session * CrowdMember.perSession].streamRequest)
      return isSent ? () : close(reader)
    }
    let isAlive = receive(connection) { bytes in
      let now = MonotonicTime.now
      if !reader.isOpen, bytes.find("200 OK") != nil {
        reader.isOpen = true
        reader.failures = 0
        openReaders += 1
      }
      var place = 0
      while let found = bytes.find("event: reported", from: place) {
        place = found + 15
        guard !reader.expected.isEmpty else { continue }
        figures.events.append((now - reader.expected.removeFirst()).milliseconds)
      }
    }
    if !isAlive { close(reader) }
  }

  private func close(_ reader: EventReader) {
    if reader.isOpen { openReaders -= 1 }
    reader.isOpen = false
    reader.connection = nil
    reader.expected = []
    reader.failures += 1
    let delay = policy.delay(afterFailures: reader.failures, using: &randomness)
    schedule(reader, at: .now + delay)
  }
}
