import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import TestVirtualTime

/// A server and the network path to it.
final class Endpoint {
  enum Server: Hashable { case running, frozen, dead }

  struct Condition: Hashable {
    var server = Server.running
    var hasLink = true
    var isCutOff = false
    var refusal: OutputFailure?
    /// The throughput, in percent of the broadcast's bitrate.
    var capacity: Int64 = 400
    /// How long the server's answers take. That is no fault: it takes the media as ever.
    var answersAfter: Int64 = 0

    var isBlocked: Bool { failure != nil }
    var isGood: Bool { self == Condition(answersAfter: answersAfter) }

    /// The error of an attempt that cannot succeed; nil if it reaches the server.
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

  struct File {
    let broadcast: String
    var captured = Spans()
  }

  let id: String
  unowned let world: World
  private(set) var condition = Condition()
  private(set) var trouble = Trouble()
  /// Since when its answers take as long as they do.
  private(set) var answersSince: Int64 = 0
  /// How long the server takes to detect the loss of a publisher.
  var hold: Int64 = 0
  var refusalOfHeld = OutputFailure.nameTaken
  let keepsSessions: Bool
  private var publisher: Connection?
  private var heldUntil: Int64 = 0
  /// The publisher left while the path was blocked, so the server has not detected it.
  private var isHeldUntilBack = false
  var files: [File] = []
  /// When each broadcast learned that it has been published here.
  var publishedAt: [String: Int64] = [:]
  var refused: Set<String> = []
  private var attempts: [Int64] = []
  /// Whether a crash may have erased the knowledge that a broadcast has been published.
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
    if new.answersAfter != condition.answersAfter {
      publisher?.answersChange()
      answersSince = world.now
    }
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

  /// A return that comes before the answer to the good-bye has to wait for it.
  func isAwaited(for time: Int64) { if time > 0 { troubleUntil(world.now + time) } }

  private func forgetPublisher() {
    publisher?.isForgotten = true
    publisher?.pathChanged()
    publisher = nil
    heldUntil = 0
    isHeldUntilBack = false
  }

  /// Ends a publish. Without an orderly close, the server takes `hold` or longer to detect it.
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

extension Endpoint {
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

  /// Why a connection without a publish fails; nil if it doesn't.
  func connect() -> OutputFailure? {
    countAttempt()
    return condition.failure
  }

  private func accept(_ type: PublishType, _ broadcast: String) {
    let isKnown = publishedAt[broadcast] != nil
    switch type {
    case .record:
      world.expect(!isKnown || isExcused(broadcast), "\(id): record for \(broadcast), which it had published")
      // What a publish left that was never proven is told as lost, and written over.
      if !isKnown { files.removeAll { $0.broadcast == broadcast } }
      files.append(File(broadcast: broadcast))
    case .append:
      let continues = files.last?.broadcast == broadcast
      world.expect(isKnown && continues, "\(id): append for \(broadcast), which it had not published")
      if !continues { files.append(File(broadcast: broadcast)) }
    case .live: if files.last?.broadcast != broadcast { files.append(File(broadcast: broadcast)) }
    }
  }

  /// A killed process could not journal that it had published.
  private func isExcused(_ broadcast: String) -> Bool {
    excuse?(broadcast, publishedAt[broadcast] ?? 0) ?? false
  }

  private func countAttempt() {
    attempts.append(world.now)
    if attempts.count > 120 { attempts.removeFirst() }
    world.expect(attempts.count < 120 || world.now - attempts[0] > .s(8), "\(id): 120 attempts within 8 s")
  }

  func hasPublished(_ broadcast: String) {
    if publishedAt[broadcast] == nil { publishedAt[broadcast] = world.now }
  }

  func store(_ captured: Range<Int64>, of broadcast: String) {
    guard let index = files.lastIndex(where: { $0.broadcast == broadcast }) else { return }
    let end = files[index].captured.ranges.last?.upperBound ?? 0
    world.expect(captured.lowerBound >= end, "\(id): what it gets of \(broadcast) goes back")
    files[index].captured.insert(captured)
  }
}

/// A publish, as seen by both sides.
final class Connection {
  unowned let endpoint: Endpoint
  let broadcast: String
  /// The server has all media captured until then.
  private(set) var position: Int64
  private var settledAt: Int64
  private(set) var isSending = false
  private(set) var isOpen = true
  var isForgotten = false
  var watcher: (() -> Void)?
  /// Called before the server's answers take another time.
  var answersWatcher: (() -> Void)?

  /// The time from a picture's capture to its arrival.
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

  func suspend() {
    settle()
    isSending = false
  }

  func settle() {
    let passed = now - settledAt
    settledAt = now
    guard isSending, isOpen, !isBlocked else { return }
    let reached = min(now - Self.latency, position + passed * endpoint.condition.capacity / 100)
    guard reached > position else { return }
    endpoint.store(position..<reached, of: broadcast)
    position = reached
  }

  func skip(to position: Int64) { self.position = position }

  func pathChanged() { watcher?() }
  func answersChange() { answersWatcher?() }

  func close(hasSaidGoodBye: Bool, isSilent: Bool = false) {
    settle()
    isOpen = false
    watcher = nil
    answersWatcher = nil
    endpoint.leave(self, hasSaidGoodBye: hasSaidGoodBye, isSilent: isSilent)
  }
}
