import HoldfastMediaModel
import HoldfastRecording

/// The machine, with its clocks, sleep and boots.
final class Host {
  private unowned let world: World
  private(set) var boots: [Int64] = [0]
  private(set) var isAsleep = false
  private var sleptSinceBoot: Int64 = 0
  private var asleepSince: Int64 = 0
  /// The offset of the wall clock from the true time.
  private(set) var wallError: Int64 = 0
  private(set) var wallSteps: [Int64] = []
  private var held: [() -> Void] = []

  private static let epoch: Int64 = 1_795_219_200_000_000_000

  init(_ world: World) { self.world = world }

  var boot: Int { boots.count - 1 }

  /// The monotonic clock, which stops during sleep.
  var clock: MonotonicTime {
    let slept = sleptSinceBoot + (isAsleep ? world.now - asleepSince : 0)
    return MonotonicTime(nanoseconds: world.now - boots[boot] - slept)
  }

  var wall: WallTime { wall(at: world.now) }
  var instant: JournalInstant { instant(at: world.now) }
  var now: Instant { Instant(monotonic: clock, sinceBoot: instant.sinceBoot, wall: wall) }

  func wall(at time: Int64) -> WallTime { WallTime(nanoseconds: Self.epoch + time + wallError) }

  func instant(at time: Int64) -> JournalInstant {
    JournalInstant(
      wall: wall(at: time), sinceBoot: MediaTime(nanoseconds: time - boots[boot]), bootID: "boot-\(boot)")
  }

  func time(of instant: JournalInstant) -> Int64? {
    guard let id = instant.bootID, let boot = Int(id.dropFirst(5)), boots.indices.contains(boot) else {
      return nil
    }
    return boots[boot] + instant.sinceBoot.nanoseconds
  }

  func stepWall(by step: Int64) {
    wallError += step
    wallSteps.append(world.now)
  }

  func end() { held = [] }

  func reboot() {
    held = []
    isAsleep = false
    sleptSinceBoot = 0
    boots.append(world.now)
  }

  func sleep() {
    isAsleep = true
    asleepSince = world.now
  }

  func wake() {
    guard isAsleep else { return }
    sleptSinceBoot += world.now - asleepSince
    isAsleep = false
    let acts = held
    held = []
    for act in acts { act() }
  }

  /// Acts once the clock reaches `due`; during sleep, due actions wait.
  func wait(until due: MonotonicTime, _ act: @escaping () -> Void) {
    world.after((due - clock).nanoseconds) { [self] in
      if isAsleep {
        held.append { [self] in wait(until: due, act) }
      } else if clock < due {
        wait(until: due, act)
      } else {
        act()
      }
    }
  }
}
