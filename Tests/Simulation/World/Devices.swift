import HoldfastMediaModel

/// A camera and a microphone that can be unplugged.
final class Devices {
  private unowned let world: World
  private(set) var present: Set<TrackKind> = Set(TrackKind.allCases)
  private(set) var absences: [TrackKind: Trouble] = [.video: Trouble(), .audio: Trouble()]
  private(set) var allGone = Trouble()
  var watcher: ((TrackKind) -> Void)?

  init(_ world: World) { self.world = world }

  func set(_ track: TrackKind, isPresent: Bool) {
    guard present.contains(track) != isPresent else { return }
    world.note("\(track.rawValue) \(isPresent ? "is back" : "is gone")")
    if isPresent { present.insert(track) } else { present.remove(track) }
    absences[track]?.set(!isPresent, at: world.now)
    allGone.set(present.isEmpty, at: world.now)
    watcher?(track)
  }
}
