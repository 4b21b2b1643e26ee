import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// What the members have seen during a phase.
struct CrowdFigures {
  /// Of beats, from when each was due to the end of its answer, in milliseconds.
  var beats: [Double] = []
  var joins: [Double] = []
  /// From the request that says a change to its event in a stream.
  var events: [Double] = []
  var statuses: [Int: Int] = [:]
  var lostConnections = 0
  var timeouts = 0
  /// Attempts in each tenth of a second, from the phase's beginning.
  var attempts: [Int] = []
  var handshakes = 0
  let began = MonotonicTime.now

  mutating func noteAttempt(at now: MonotonicTime) {
    let tenth = Int((now - began).nanoseconds / 100_000_000)
    while attempts.count <= tenth { attempts.append(0) }
    attempts[tenth] += 1
  }

  /// The most in any second.
  var mostPerSecond: Int { attempts.indices.map { attempts[$0...].prefix(10).reduce(0, +) }.max() ?? 0 }

  var refusals: String {
    let codes = statuses.filter { $0.key != 200 }.sorted { $0.key < $1.key }
    return codes.isEmpty ? "none" : codes.map { "\($0.value) with \($0.key)" }.joined(separator: ", ")
  }

  /// Requests that had no answer, or another than was hoped for.
  var failed: Int { statuses.filter { $0.key != 200 }.values.reduce(0, +) + lostConnections + timeouts }
}
