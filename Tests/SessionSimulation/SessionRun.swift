import HoldfastMediaModel
import HoldfastSession
import TestRandomness
import TestVirtualTime

/// Sessions, boxes, persons, hubs and a store for some virtual time, all of it determined by a number: storms in which
/// everything fails, each followed by a calm in which everything has to meet again.
package final class SessionRun {
  package struct Settings: Hashable, Sendable {
    package var sessions = 3
    /// In all sessions together.
    package var boxes = 12
    package var hubs = 3
    package var length: Int64 = .minutes(10)
    package var storm: Int64 = .minutes(7)
    package var calm: Int64 = .minutes(3)
    /// Of a hundred verbs of the store, so many let others go on in between.
    package var interleaved: UInt64 = 20
    /// Sweeps are so many times rarer than a hub's.
    package var sweepSlowness: Int64 = 1
    package var isTraced = true
    /// Persons read events, too.
    package var personsRead = true
    /// The mean time between two faults in a storm.
    package var faultEvery: Int64 = .s(8)
    package var isLarge = false

    package init() {}

    /// For thousands of boxes: some things less often.
    package static func large(sessions: Int, boxes: Int, length: Int64) -> Settings {
      var settings = Settings()
      (settings.sessions, settings.boxes, settings.length) = (sessions, boxes, length)
      (settings.interleaved, settings.sweepSlowness) = (2, 2)
      settings.isTraced = false
      settings.isLarge = boxes > 1000
      settings.personsRead = !settings.isLarge
      settings.faultEvery = .ms(max(200, 600_000 / Int64(max(75, boxes))))
      return settings
    }
  }

  let cast: Cast
  let faults: SessionFaults
  private let seed: UInt64
  private let settings: Settings

  package init(seed: UInt64, _ settings: Settings = Settings(), mutation: Mutation? = nil) throws {
    self.seed = seed
    self.settings = settings
    cast = try Cast(SessionWorld(seed: seed, settings, mutation))
    faults = SessionFaults(cast)
  }

  var world: SessionWorld { cast.world }

  package var problem: String? { world.problem }
  package var figures: Figures {
    var figures = cast.monitor.figures
    (figures.runs, figures.events, figures.length) = (1, world.events, world.now)
    return figures
  }

  /// Runs until the end or the first problem; `progress` is told after each calm.
  package func run(progress: (Int64) -> Void = { _ in }) {
    cast.begin()
    while world.now < settings.length, problem == nil {
      let calmAt = min(world.now + settings.storm, settings.length - settings.calm)
      faults.storm(until: calmAt)
      world.run(until: calmAt)
      guard problem == nil else { break }
      faults.calm()
      world.run(until: calmAt + settings.calm)
      progress(world.now)
    }
    world.end()
  }

  /// The first problem of a run, with what happened last and the command that repeats it.
  package var story: String {
    let command =
      "make simulate-sessions SEED=\(seed) SESSIONS=\(settings.sessions) BOXES=\(settings.boxes) "
      + "MINUTES=\(settings.length / .minutes(1))"
    return ([command, problem ?? "nothing is wrong"] + world.trace).joined(separator: "\n")
  }

  /// What came of runs.
  package struct Figures: Hashable, Sendable {
    package internal(set) var runs = 0
    package internal(set) var length: Int64 = 0
    package internal(set) var events = 0
    package internal(set) var beats = 0
    package internal(set) var commits = 0
    package internal(set) var arrivals = 0
    package internal(set) var joins = 0
    package internal(set) var expiries = 0
    package internal(set) var silences = 0
    package internal(set) var hostChanges = 0
    package internal(set) var superseded = 0
    package internal(set) var endings = 0
    package internal(set) var endedBroadcasts = 0
    package internal(set) var failovers = 0
    package internal(set) var faults = 0

    package init() {}

    package mutating func add(_ other: Figures) {
      for path in Self.counts { self[keyPath: path] += other[keyPath: path] }
      length += other.length
    }

    private static var counts: [WritableKeyPath<Figures, Int>] {
      [
        \.runs, \.events, \.beats, \.commits, \.arrivals, \.joins, \.expiries, \.silences, \.hostChanges,
        \.superseded, \.endings, \.endedBroadcasts, \.failovers, \.faults,
      ]
    }
  }
}

extension SessionRun.Figures: CustomStringConvertible {
  package var description: String {
    """
    \(length.shown), \(faults) faults, \(failovers) failovers, \(beats) beats, \(joins) joins, \(commits) commits, \
    \(arrivals) events read; \(silences) silences, \(expiries) leases expired, \(hostChanges) absent hosts replaced, \
    \(superseded) superseded, \(endings) endings, \(endedBroadcasts) broadcasts ended by them; \(events) steps
    """
  }
}
