internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing

/// A server and the way to it.
final class Endpoint {
  enum Server: Hashable { case running, frozen, dead }

  struct Condition: Hashable {
    var server = Server.running
    var hasLink = true
    /// Packets vanish.
    var isCutOff = false
    /// What it says to a publish; nil where it accepts.
    var refusal: OutputFailure?
    /// How much it takes, in hundredths of what a broadcast makes.
    var capacity: Int64 = 400

    var isBlocked: Bool { failure != nil }
    var isGood: Bool { self == Condition() }

    /// What becomes of an attempt that does not reach the server.
    var failure: OutputFailure? {
      if !hasLink { return .unreachable }
      if isCutOff { return .timedOut }
      switch server {
      case .running: return nil
      case .frozen: return .timedOut
      case .dead: return .unreachable
      }
    }
  }

  /// What the server has recorded.
  struct File {
    let broadcast: String
    var captured = Spans()
  }

  let id: String
  unowned let world: World
  private(set) var condition = Condition()
  private(set) var trouble = Trouble()
  /// How long it takes to notice that a publisher has gone.
  var hold: Int64 = 0
  var refusalOfHeld = OutputFailure.nameTaken
  /// It lets a publisher pause.
  let keepsSessions: Bool
  /// Whom it takes for the publisher.
  private var publisher: Connection?
  private var heldUntil: Int64 = 0
  /// The publisher has gone, and it can't have noticed.
  private var isHeldUntilBack = false
  var files: [File] = []
  /// Those whose publish it has accepted, as far as they have heard of it: when.
  var acceptedAt: [String: Int64] = [:]
  var refused: Set<String> = []
  private var attempts: [Int64] = []
  /// Whether nobody can know any more that it was accepted then.
  var excuse: ((String, Int64) -> Bool)?

  init(id: String, _ world: World) {
    self.id = id
    self.world = world
    keepsSessions = world.randomness.chance(30)
  }

  func change(_ change: (inout Condition) -> Void) {
    var new = condition
    change(&new)
    guard new != condition else { return }
    world.note("\(id): \(new)")
    publisher?.settle()
    let old = condition
    condition = new
    if new.server == .dead { forgetPublisher() }
    if !new.isBlocked, isHeldUntilBack {
      isHeldUntilBack = false
      heldUntil = world.now + hold
      troubleUntil(heldUntil)
    }
    trouble.set(!isFree, at: world.now)
    if new.isBlocked != old.isBlocked || new.capacity != old.capacity { publisher?.pathChanged() }
  }

  private var isFree: Bool { condition.isGood && heldUntil <= world.now && !isHeldUntilBack }

  private func troubleUntil(_ time: Int64) {
    trouble.set(true, at: world.now)
    world.after(time - world.now) { [self] in trouble.set(!isFree, at: world.now) }
  }

  private func forgetPublisher() {
    publisher?.isForgotten = true
    publisher?.pathChanged()
    publisher = nil
    heldUntil = 0
    isHeldUntilBack = false
  }

  /// The publisher has hung up; without a word the server may take its time to notice.
  func leave(_ connection: Connection, hasSaidGoodBye: Bool, isSilent: Bool = false) {
    guard publisher === connection else { return }
    publisher = nil
    if isSilent {
      heldUntil = world.now + hold + .s(10)
      troubleUntil(heldUntil)
    } else if condition.isBlocked {
      isHeldUntilBack = true
      trouble.set(true, at: world.now)
    } else {
      heldUntil = world.now + (hasSaidGoodBye ? .ms(10) : hold)
      troubleUntil(heldUntil)
    }
  }
}

// MARK: - Attempts

extension Endpoint {
  /// What becomes of an attempt, decided when it arrives.
  func attempt(_ type: PublishType, _ broadcast: String) -> Result<Connection, SinkError> {
    countAttempt()
    let isHeld = publisher != nil || heldUntil > world.now || isHeldUntilBack
    if !condition.isBlocked, condition.refusal == .refused { refused.insert(broadcast) }
    if let failure = condition.failure ?? (isHeld ? refusalOfHeld : condition.refusal) {
      return .failure(SinkError(failure, ""))
    }
    accept(type, broadcast)
    let connection = Connection(self, broadcast)
    publisher = connection
    return .success(connection)
  }

  private func accept(_ type: PublishType, _ broadcast: String) {
    let isKnown = acceptedAt[broadcast] != nil
    switch type {
    case .record:
      world.expect(!isKnown || isExcused(broadcast), "\(id): record for \(broadcast), which it had accepted")
      files.append(File(broadcast: broadcast))
    case .append:
      let continues = files.last?.broadcast == broadcast
      world.expect(isKnown && continues, "\(id): append for \(broadcast), which it had not accepted")
      if !continues { files.append(File(broadcast: broadcast)) }
    case .live:
      if files.last?.broadcast != broadcast { files.append(File(broadcast: broadcast)) }
    }
  }

  /// A process that was killed could not write down that it had been accepted.
  private func isExcused(_ broadcast: String) -> Bool {
    excuse?(broadcast, acceptedAt[broadcast] ?? 0) ?? false
  }

  /// Nobody is asked more often than each tenth of a second for long.
  private func countAttempt() {
    attempts.append(world.now)
    if attempts.count > 120 { attempts.removeFirst() }
    world.expect(
      attempts.count < 120 || world.now - attempts[0] > .s(8), "\(id): 120 attempts within 8 s")
  }

  func hasAccepted(_ connection: Connection) {
    if acceptedAt[connection.broadcast] == nil { acceptedAt[connection.broadcast] = world.now }
  }

  func store(_ captured: Range<Int64>, of broadcast: String) {
    guard let index = files.lastIndex(where: { $0.broadcast == broadcast }) else { return }
    let end = files[index].captured.ranges.last?.upperBound ?? 0
    world.expect(captured.lowerBound >= end, "\(id): what it gets of \(broadcast) goes back")
    files[index].captured.insert(captured)
  }
}

/// A publish, as both sides see it.
final class Connection {
  unowned let endpoint: Endpoint
  let broadcast: String
  /// The server has what was captured until then.
  private(set) var position: Int64
  private var settledAt: Int64
  /// Media goes out.
  private(set) var isSending = false
  private(set) var isOpen = true
  /// The server knows nothing of it any more.
  var isForgotten = false
  var watcher: (() -> Void)?

  /// From a picture's capture to its arrival.
  private static let latency: Int64 = .ms(40)

  init(_ endpoint: Endpoint, _ broadcast: String) {
    self.endpoint = endpoint
    self.broadcast = broadcast
    position = endpoint.world.now
    settledAt = position
  }

  private var now: Int64 { endpoint.world.now }
  var isBlocked: Bool { isForgotten || endpoint.condition.isBlocked }
  var lag: Int64 { now - position }

  func send(from position: Int64) {
    self.position = position
    settledAt = now
    isSending = true
  }

  /// The server keeps the session, and gets nothing.
  func suspend() {
    settle()
    isSending = false
  }

  /// Brings what the server has up to the present.
  func settle() {
    let passed = now - settledAt
    settledAt = now
    guard isSending, isOpen, !isBlocked else { return }
    let reached = min(now - Self.latency, position + passed * endpoint.condition.capacity / 100)
    guard reached > position else { return }
    endpoint.store(position..<reached, of: broadcast)
    position = reached
  }

  /// What waits for too long is left out.
  func skip(to position: Int64) {
    self.position = position
  }

  func pathChanged() {
    watcher?()
  }

  func close(hasSaidGoodBye: Bool, isSilent: Bool = false) {
    settle()
    isOpen = false
    watcher = nil
    endpoint.leave(self, hasSaidGoodBye: hasSaidGoodBye, isSilent: isSilent)
  }
}
