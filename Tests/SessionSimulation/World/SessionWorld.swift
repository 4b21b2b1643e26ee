import HoldfastMediaModel
import TestRandomness
import TestVirtualTime

/// Virtual time, chance, the last things that happened, and the first invariant that was violated.
final class SessionWorld {
  private(set) var now: Int64 = 0
  var randomness: SplitMix64
  let settings: SessionRun.Settings
  let mutation: Mutation?
  private var agenda = Agenda()
  private(set) var problem: String?
  private(set) var events = 0
  /// Calls that are in the middle of a blocking one.
  private var depth = 0

  private var serials = 0
  private var recent: [String] = []
  private var nextRecent = 0
  private static let maxRecent = 80

  init(seed: UInt64, _ settings: SessionRun.Settings, _ mutation: Mutation?) {
    randomness = SplitMix64(seed: seed)
    self.settings = settings
    self.mutation = mutation
  }

  var clock: MonotonicTime { MonotonicTime(nanoseconds: now) }
  var wall: WallTime { WallTime(nanoseconds: 1_795_219_200_000_000_000 + now) }
  var instant: Instant { Instant(monotonic: clock, sinceBoot: MediaTime(nanoseconds: now), wall: wall) }

  func after(_ delay: Int64, _ act: @escaping () -> Void) { agenda.add(at: now + max(0, delay), act) }

  /// Until `end`, or the first problem.
  func run(until end: Int64) {
    while problem == nil, let due = agenda.next, due <= end, let next = agenda.removeFirst() {
      now = max(now, next.at)
      events += 1
      next.act()
    }
    now = max(now, end)
  }

  /// A call blocks, and the rest of the world goes on meanwhile. Calls that block within blocked ones soon take no time, so
  /// that the outer ones come to an end.
  func block(for time: Int64) {
    guard time > 0, depth < Self.maxDepth else { return }
    depth += 1
    run(until: now + time)
    depth -= 1
  }

  private static let maxDepth = 4

  func end() { agenda.removeAll() }

  func newSerial() -> Int {
    serials += 1
    return serials
  }

  func note(_ text: @autoclosure () -> String) {
    guard settings.isTraced else { return }
    let line = "\(now.shown) \(text())"
    if recent.count < Self.maxRecent {
      recent.append(line)
    } else {
      recent[nextRecent] = line
      nextRecent = (nextRecent + 1) % Self.maxRecent
    }
  }

  /// The last events, the oldest first.
  var trace: [String] { Array(recent[nextRecent...] + recent[..<nextRecent]) }

  func expect(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
    guard !isTrue, problem == nil else { return }
    problem = "\(now.shown) \(claim())"
    note("PROBLEM: \(claim())")
  }
}
