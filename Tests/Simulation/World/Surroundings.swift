internal import HoldfastMediaModel

/// What a simulated process lives in, and what outlives it.
final class Surroundings {
  let world: World
  let host: Host
  let disk: Disk
  let devices: Devices
  var settings: Settings
  let endpoints: [Endpoint]
  var holds = Holds()
  var session = SessionTruth()
  private var ids = 0
  private(set) var truths: [Truth] = []
  private var byID: [String: Truth] = [:]
  /// The program may have come to its end.
  var lookAfterProcess: () -> Void = {}
  var didRecover: (String?) -> Void = { _ in }

  init(seed: UInt64, isLogged: Bool) {
    world = World(seed: seed, isLogged: isLogged)
    host = Host(world)
    disk = Disk(world)
    devices = Devices(world)
    settings = Settings(&world.randomness)
    let world = world
    endpoints = (0..<settings.outputs).map { Endpoint(id: "out\($0)", world) }
    for endpoint in endpoints {
      endpoint.excuse = { [weak self] broadcast, acceptedAt in
        self?.truth(of: broadcast).mayHaveForgotten(transition: acceptedAt) ?? false
      }
    }
  }

  func makeBroadcastID() -> String {
    ids += 1
    return "\(host.wall.compact)-\(ids)"
  }

  func makeTruth(_ id: String) -> Truth {
    world.expect(byID[id] == nil, "\(id) begins twice")
    let truth = Truth(id: id)
    truths.append(truth)
    byID[id] = truth
    return truth
  }

  func truth(of id: String) -> Truth { byID[id] ?? makeTruth(id) }

  /// Of broadcasts that have no end on the disk.
  func truthsOfUnfinished() -> [Truth] { disk.unfinished().map { truth(of: $0.id) } }

  /// When something kept a broadcast from going on.
  func reasons(until now: Int64) -> Spans {
    let gone = devices.absences.values.reduce(Spans()) { $0.union($1.spans(until: now)) }
    return holds.all(until: now).union(gone).union(disk.trouble.spans(until: now))
  }

}
