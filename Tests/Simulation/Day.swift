import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording
import TestVirtualTime

/// A simulated day of a broadcaster: the process, its supervisor, their world, and the ground truth.
package final class Day {
  let world: World
  let host: Host
  let disk: Disk
  let devices: Devices
  var settings: Settings
  let endpoints: [Endpoint]
  var holds = Holds()
  var session = SessionTruth()
  private(set) var truths: [Truth] = []
  private var ids = 0
  var process: SimulatedProcess?
  var supervisor = Supervisor()

  static let length: Int64 = .hours(24)
  /// The end of fault injection.
  private static let calmAt: Int64 = .hours(23)
  var isCalm: Bool { world.now >= Self.calmAt }
  /// The time limit for recovery from the last fault.
  private static let healing: Int64 = .s(90)

  package init(seed: UInt64, isLogged: Bool = false) {
    world = World(seed: seed, isLogged: isLogged)
    host = Host(world)
    disk = Disk(world)
    devices = Devices(world)
    settings = Settings(&world.randomness)
    endpoints = (0..<settings.outputs).map { [world] in Endpoint(id: "out\($0)", world) }
    for endpoint in endpoints {
      endpoint.excuse = { [unowned self] broadcast, publishedAt in
        truth(of: broadcast).mayHaveForgotten(transition: publishedAt)
      }
    }
  }

  package var problems: [String] { world.problems }
  package var log: [String] { world.log }

  package func run() {
    world.note("\(settings)")
    start()
    Faults(self, until: Self.calmAt).begin()
    world.run(until: Self.calmAt)
    calm()
    world.run(until: Self.calmAt + Self.healing)
    if problems.isEmpty { expectHealth() }
    supervisor.isOn = false
    process?.request(.command(.stop))
    world.run(until: Self.calmAt + Self.healing + .s(10))
    world.expect(process == nil, "a stop does not end it")
    // A final recovery closes unfinished broadcasts.
    _ = SimulatedProcess(self).recover(policy: .new)
    if problems.isEmpty { Verdict(self).check() }
    process?.vanish(isSilent: false)
    host.end()
    world.end()
  }

  func makeBroadcastID() -> String {
    ids += 1
    return "\(host.wall.compact)-\(ids)"
  }

  func makeTruth(_ id: String) -> Truth {
    world.expect(truths.allSatisfy { $0.id != id }, "\(id) begins twice")
    let truth = Truth(id: id)
    truths.append(truth)
    return truth
  }

  func truth(of id: String) -> Truth { truths.last { $0.id == id } ?? makeTruth(id) }

  /// The truths of broadcasts without an end on the disk.
  func truthsOfUnfinished() -> [Truth] { disk.unfinished().map { truth(of: $0.id) } }

  /// The times at which something prevented a broadcast.
  func reasons(until now: Int64) -> Spans {
    let gone = devices.absences.values.reduce(Spans()) { $0.union($1.spans(until: now)) }
    return holds.all(until: now).union(gone).union(disk.trouble.spans(until: now))
  }

  private func calm() {
    world.note("from now on nothing bad happens")
    settings.duration = nil
    settings.maxDuration = nil
    process?.extend(by: .hours(2))
    if settings.gate != .none { settings.gate = .passes }
    host.wake()
    disk.set(.good)
    for track in TrackKind.allCases { devices.set(track, isPresent: true) }
    for endpoint in endpoints {
      endpoint.hold = 0
      endpoint.change { $0 = Endpoint.Condition() }
    }
    process?.networkChanged()
    holds.lock(false, at: world.now)
    supervisor.restsUntil = 0
    start()
    for event: Lifecycle.Event in [
      .interruptionEnded(.system), .command(.resume), .command(.foreground), .command(.start),
    ] { process?.request(event) }
  }

  private func expectHealth() {
    guard let process, let broadcast = process.newest else {
      return world.expect(false, "nothing is broadcast")
    }
    world.expect(process.state == .live, "\(process.state), though nothing stands in the way")
    world.expect(broadcast.clock.isRunning, "media time stands still, though nothing stands in the way")
    for output in broadcast.outputs where !output.endpoint.refused.contains(broadcast.id) {
      world.expect(
        output.isHealthy, "\(output.endpoint.id) does not publish: \(String(describing: output.condition))")
    }
  }
}
