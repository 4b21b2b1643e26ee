import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestRandomness
import TestVirtualTime

/// A box: the real driver of its membership, and a model of its broadcast and its disk.
final class SimulatedBox: Endpoint {
  private var driver: MembershipDriver<BoxEnvironment>?
  private(set) var snapshot: MembershipSnapshot?
  /// The earliest of the timers that are set.
  private var wakesAt: Int64?

  // What is on its disk.
  var disk: MembershipRecord?
  /// Whether the record is of this broadcast.
  fileprivate var isDiskCurrent = false

  // Its broadcast.
  private(set) var broadcast: Broadcast?
  private(set) var muted: Set<TrackKind> = []
  private(set) var output: String?
  /// The first of this broadcast.
  private(set) var member: Session.Member.ID?
  /// The key by which it was superseded.
  private var supersededKey: String?
  private var isStopping = false
  private var wantedStream: Int?
  /// For the mutant that keeps its lease.
  var firstLease: String?

  struct Broadcast {
    let began: Int64
    var liveSince: Int64?
    /// Recorded before this process of the box.
    var recorded: Int64 = 0
    /// Of this process.
    var recordsSince: Int64?
  }

  var label: String { "box \(number)" }
  var isRunning: Bool { driver != nil }
  var wasSuperseded: Bool { supersededKey != nil && supersededKey == disk?.key }

  func note(member: Session.Member.ID) { self.member = member }

  var state: String { snapshot?.state ?? "off" }

  // MARK: - The broadcast

  /// Begins a broadcast, with whatever is on the disk.
  func begin() {
    guard broadcast == nil else { return }
    world.note("\(label) begins a broadcast")
    broadcast = Broadcast(began: world.now)
    member = nil
    // What its operator begins is a new member's, or takes the place of whoever has its key.
    supersededKey = nil
    firstLease = nil
    isDiskCurrent = false
    start(continues: false)
    later(world.randomness.time(.s(1), .s(5))) { [self] in
      guard broadcast != nil else { return }
      handle(.sourcesOpened)
      broadcast?.liveSince = world.now
      broadcast?.recordsSince = world.now
      report()
    }
  }

  private func start(continues: Bool, resumes: Bool = false) {
    newProcess()
    guard let name = try? Session.DisplayName("Box \(number)") else { return }
    var settings = MembershipMachine.Settings(address: session.name.text, name: name)
    settings.continues = continues
    settings.resumes = resumes
    settings.allowsUnmute = number % 2 == 0
    snapshot = nil
    wakesAt = nil
    muted = []
    output = nil
    driver = MembershipDriver(
      settings, record: disk, BoxEnvironment(box: self), randomness: world.randomness.fork())
    handle(.started)
    report()
  }

  /// The machine loses its power, or the process is killed; what was begun goes on in the next one.
  func crash(for time: Int64) {
    guard driver != nil else { return }
    world.note("\(label) crashes")
    newProcess()
    driver = nil
    if let since = broadcast?.recordsSince { broadcast?.recorded += world.now - since }
    broadcast?.recordsSince = nil
    if world.mutation == .forgetsKey { disk = nil }
    later(time) { [self] in restart() }
  }

  func restart() {
    guard driver == nil, broadcast != nil else { return }
    world.note("\(label) is back")
    if broadcast?.liveSince == nil { broadcast?.liveSince = world.now }
    broadcast?.recordsSince = world.now
    start(continues: isDiskCurrent, resumes: true)
  }

  /// By its operator.
  func endBroadcast() {
    guard driver != nil, !isStopping else { return }
    isStopping = true
    world.note("\(label) ends its broadcast")
    handle(.broadcastEnded)
  }

  func leave() { handle(.leaveRequested) }

  /// The membership is finished.
  private func finish() {
    newProcess()
    driver = nil
    isStopping = false
    broadcast = nil
    output = nil
  }

  /// The session is over, for this box, too.
  fileprivate func endBySession() {
    monitor.ends(self)
    world.after(.ms(5)) { [self] in
      guard broadcast != nil, driver != nil else { return }
      handle(.broadcastEnded)
    }
  }

  /// Another box is made of a copy of this one's disk.
  func takeOver(_ other: SimulatedBox) {
    world.note("\(label) starts with a copy of \(other.label)'s disk")
    if broadcast == nil { broadcast = Broadcast(began: world.now, liveSince: world.now) }
    newProcess()
    driver = nil
    (disk, credential) = (other.disk, other.credential)
    member = nil
    supersededKey = nil
    if let key = disk?.key { monitor.holds(self, key) }
    restart()
  }

  /// The operator gives it a state directory of its own, and it begins anew.
  func beginAnew() {
    guard broadcast != nil else { return }
    newProcess()
    driver = nil
    broadcast = nil
    (disk, credential) = (nil, Session.Credential(.participant, token: "box \(number)"))
    begin()
  }

  // MARK: - Events

  func handle(_ event: MembershipMachine.Event) {
    guard driver != nil else { return }
    driver?.handle(event, at: world.instant)
    settle()
  }

  private func settle() {
    guard let driver else { return }
    if driver.isFinished { return finish() }
    guard let deadline = driver.nextDeadline?.nanoseconds else { return }
    if let wakesAt, wakesAt <= deadline { return }
    wakesAt = deadline
    later(deadline - world.now) { [self] in
      guard wakesAt == deadline else { return }
      wakesAt = nil
      self.driver?.fireTimers(at: world.instant)
      settle()
    }
  }

  override func streamed(_ number: Int, _ event: HubEvent) { handle(.streamed(number, event)) }

  override func streamEnded(_ number: Int) {
    if stream?.number == number { stream = nil }
    handle(.streamClosed(number, .unreachable("the stream has ended")))
  }

  func report() {
    let condition = broadcast?.liveSince == nil ? Session.Member.Condition.starting : .live
    handle(.reported(Session.Member.Report(condition, muted: muted)))
  }

  /// All that is recorded so far.
  var recorded: Int64 {
    guard let broadcast else { return 0 }
    return broadcast.recorded + (broadcast.recordsSince.map { world.now - $0 } ?? 0)
  }
}

// MARK: - What the membership does

extension SimulatedBox {
  func say(_ report: MembershipReport) {
    world.note("\(label): \(report.name) \(report.text ?? "")")
    switch report {
    case .superseded:
      supersededKey = disk?.key
      monitor.superseded(self)
      supersededHere()
    case .waiting(.hubAway): if world.mutation == .endsOnOutage { endBySession() }
    case .joined(let id, _): monitor.joined(self, as: id)
    // Who was removed comes back as somebody new.
    case .waiting(.removed): member = nil
    case .waiting, .hubBack, .over, .left, .roleChanged, .mutedByOthers, .unmuteAsked, .mayUnmute, .endsAt,
      .othersReady, .answered:
      break
    }
  }

  private func supersededHere() {
    if world.mutation == .rejoinsWhenSuperseded {
      later(.s(1)) { [self] in
        disk?.verdict = nil
        start(continues: true)
      }
      return
    }
    later(world.randomness.time(.s(60), .s(180))) { [self] in beginAnew() }
  }

  fileprivate func mute(_ tracks: Set<TrackKind>) {
    guard world.mutation != .ignoresMutes else { return }
    muted = tracks
    later(.ms(1)) { [self] in report() }
  }

  fileprivate func publish(to address: String?) {
    if address == nil, world.mutation == .staysOnAirWhenRemoved { return }
    output = address
  }

  fileprivate func remember(_ record: MembershipRecord) {
    if disk?.key != record.key { monitor.holds(self, record.key) }
    (disk, isDiskCurrent) = (record, true)
  }

  fileprivate func show(_ snapshot: MembershipSnapshot) { self.snapshot = snapshot }

  fileprivate func askPassword() {
    later(world.randomness.time(.ms(100), .s(3))) { [self] in
      if let password = session.password(monitor) { handle(.passwordGiven(password)) }
    }
  }

  fileprivate func lease(_ lease: String) -> String {
    guard world.mutation == .keepsLease else { return lease }
    firstLease = firstLease ?? lease
    return firstLease ?? lease
  }

  fileprivate func dropStream() {
    wantedStream = nil
    closeStream()
  }

  fileprivate func openStream(_ number: Int, _ lease: String, _ after: String) {
    closeStream()
    wantedStream = number
    send({ [self] hub in hub.openStream(number, lease: lease, after: after, by: self) }) { [self] answer in
      switch answer {
      case .success(let open):
        guard wantedStream == number else { return open.close() }
        stream = open
        handle(.streamOpened(number))
        open.accept()
      case .failure(let failure): handle(.streamClosed(number, failure))
      case nil: handle(.streamClosed(number, .unreachable("no answer")))
      }
    }
  }

  fileprivate func request<Value>(
    _ number: Int, _ work: @escaping (HubNode) -> Answer<Value>,
    _ event: @escaping (Value) -> MembershipMachine.Event
  ) {
    send(work) { [self] answer in
      switch answer {
      case .success(let value): handle(event(value))
      case .failure(let failure): handle(.failed(number, failure))
      case nil: handle(.failed(number, .unreachable("no answer")))
      }
    }
  }
}

struct BoxEnvironment: MembershipEnvironment {
  unowned let box: SimulatedBox

  func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime) {
    switch request {
    case .join(let request):
      box.request(number, { [box] hub in hub.join(request, by: box) }, { .joined(number, $0) })
    case .beat(let lease, let request):
      let lease = box.lease(lease)
      box.request(number, { [box] hub in hub.beat(request, lease: lease, by: box) }, { .beaten(number, $0) })
    case .command(let lease, let request):
      box.request(
        number, { [box] hub in hub.command(request, lease: box.lease(lease), by: box) },
        { _ in .commanded(number) })
    case .leave(let lease):
      let request = Session.CommandRequest(.leave)
      box.request(
        number, { [box] hub in hub.command(request, lease: lease, by: box) }, { _ in .left(number) })
    }
  }

  func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime) {
    box.openStream(number, lease, event)
  }

  func closeStream(_ number: Int) { box.dropStream() }

  func changeHub() { box.changeHub() }
  func askPassword(isWrong: Bool) { box.askPassword() }
  func remember(_ record: MembershipRecord) { box.remember(record) }
  func mute(_ tracks: Set<TrackKind>) { box.mute(tracks) }
  /// Nobody shares a screen in this world: lives of one box do.
  func showScreen(_ isShown: Bool) {}
  /// Nobody gives a small stream in this world: lives of one box do.
  func publish(_ rendition: Session.Rendition, to address: String) { box.publish(to: address) }
  func unpublish(_ rendition: Session.Rendition) { box.publish(to: nil) }
  func endBroadcast() { box.endBySession() }
  func report(_ report: MembershipReport) { box.say(report) }
  func show(_ snapshot: MembershipSnapshot) { box.show(snapshot) }
}
