import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestVirtualTime

/// Somebody in a session, with a network that delays, loses and breaks. A subclass says what it is.
class Endpoint {
  unowned let cast: Cast
  unowned let session: SimulatedSession
  let number: Int
  var credential: Session.Credential
  /// Counts its starts.
  private(set) var process = 0
  private(set) var isCut = false
  /// Whether what is sent during a cut is noticed to fail at once.
  private var failsAtOnce = false
  private var hub: Int
  var stream: HubStream?
  /// When something last stood between it and the session.
  var troubledAt: Int64 = 0

  static let timeout: Int64 = .s(4)

  init(_ cast: Cast, _ session: SimulatedSession, _ number: Int, _ credential: Session.Credential) {
    self.cast = cast
    self.session = session
    self.number = number
    self.credential = credential
    hub = cast.world.randomness.below(cast.hubs.count)
  }

  var world: SessionWorld { cast.world }
  var monitor: Monitor { cast.monitor }

  func newProcess() {
    process += 1
    closeStream()
    troubledAt = world.now
  }

  func closeStream() {
    stream?.close()
    stream = nil
  }

  /// Unless the process has ended by then.
  func later(_ delay: Int64, _ act: @escaping () -> Void) {
    let process = process
    world.after(delay) { [self] in if self.process == process { act() } }
  }

  func streamed(_ number: Int, _ event: HubEvent) {}
  func streamEnded(_ number: Int) {}

  // MARK: - The network

  func cut() {
    isCut = true
    failsAtOnce = world.randomness.chance(50)
    troubledAt = world.now
    stream?.lose(after: failsAtOnce ? .ms(10) : world.randomness.time(.ms(10), .s(40)))
  }

  func mend() {
    guard isCut else { return }
    isCut = false
    troubledAt = world.now
  }

  func breakStream() { stream?.lose(after: .ms(10)) }

  /// Asks another hub from now on.
  func changeHub() {
    guard cast.hubs.count > 1 else { return }
    hub = (hub + 1 + world.randomness.below(cast.hubs.count - 1)) % cast.hubs.count
  }

  var latency: Int64 { world.randomness.time(.ms(1), .ms(80)) }

  /// `done` comes once, with nil at the latest after the time limit.
  func send<Value>(_ work: @escaping (HubNode) -> Value, _ done: @escaping (Value?) -> Void) {
    // A balancer may choose another hub for any request.
    if world.randomness.chance(3) { changeHub() }
    let node = cast.hubs[hub]
    let (process, sent, life) = (process, world.now, node.life)
    var isDone = false
    func finish(_ value: Value?) {
      guard !isDone, self.process == process else { return }
      isDone = true
      if value == nil { troubledAt = world.now }
      done(value)
    }
    func lose(after delay: Int64) { world.after(delay) { finish(nil) } }
    if isCut { return lose(after: failsAtOnce ? .ms(1) : Self.timeout) }
    guard node.isUp else {
      changeHub()
      return lose(after: world.randomness.chance(70) ? .ms(20) : Self.timeout)
    }
    if cast.isSlow { lose(after: Self.timeout) }
    let fault = drawFault()
    switch fault {
    case .requestLost: return lose(after: Self.timeout)
    case .late:
      lose(after: Self.timeout)
      return world.after(world.randomness.time(.s(5), .s(30))) { node.receive(life) { _ = work(node) } }
    case .answerLost: lose(after: Self.timeout)
    case .cameTwice: world.after(.ms(1)) { node.receive(life) { _ = work(node) } }
    case nil: break
    }
    let rest = { [self] in max(.ms(1), sent + Self.timeout - world.now) }
    world.after(latency) { [self] in
      node.receive(life) { [self] in
        let answer = work(node)
        guard node.life == life else { return lose(after: rest()) }
        guard fault != .answerLost else { return }
        world.after(latency) { [self] in
          guard !isCut, world.now <= sent + Self.timeout else { return lose(after: rest()) }
          finish(answer)
        }
      } otherwise: { [self] in
        changeHub()
        lose(after: rest())
      }
    }
  }

  private enum RequestFault: CaseIterable {
    case requestLost
    /// Carried out, but nobody hears of it.
    case answerLost
    /// Carried out long after the sender has given up.
    case late
    /// Carried out twice; the second answer is the one that is seen.
    case cameTwice
  }

  private func drawFault() -> RequestFault? {
    guard cast.lossOneIn > 0, world.randomness.below(cast.lossOneIn) == 0 else { return nil }
    troubledAt = world.now
    return world.randomness.pick(RequestFault.allCases)
  }
}
