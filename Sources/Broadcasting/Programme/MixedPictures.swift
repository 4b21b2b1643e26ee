import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMixing
import HoldfastPlatform

/// The pictures of a programme, composed by the monotonic clock from the newest picture of each tile.
struct MixedPictures {
  private let mixer: Mixer

  init(_ mixer: Mixer) { self.mixer = mixer }

  func run(
    until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void
  ) throws(CaptureError) {
    let settings = mixer.settings
    let tiles = mixer.tiles.filter { $0.tracks.contains(.video) }
    var director = Director(settings, tiles.map(\.name))
    var painter = ProgrammePainter(settings, tiles)
    let rate = settings.format.frameRate
    // Half a frame later, what is captured on the same beat has arrived, and other pictures are no more often late than
    // early.
    let delay = MediaTime(nanoseconds: rate.frameDuration.nanoseconds / 2)
    let first = rate.frame(dueBy: .now - delay) + 1
    var (next, lost) = (first, 0)
    while !stop.wait(until: rate.instant(ofFrame: next) + delay) {
      let current = rate.frame(dueBy: .now - delay)
      if current - next > 1 {
        lost += Int(current - next)
        next = current
      }
      let time = rate.instant(ofFrame: next)
      next += 1
      do throws(FFmpegError) {
        let scene = director.scene(of: tiles, at: time - MonotonicTime(nanoseconds: 0))
        let picture = try painter.paint(scene)
        deliver(
          CapturedFrame(
            picture, captureTime: time, lostBefore: lost, absentMembers: mixer.missing(.video)))
        lost = 0
      } catch {
        throw CaptureError(
          .unsuitable, .video, device: "grid", what: error.description,
          hint: "check whether the machine is out of memory")
      }
    }
  }
}

/// Decides what a picture of the programme shows.
struct Director {
  private let settings: Mixer.Settings
  private let names: [String]
  private var shown: (layout: Layout, large: Int)?
  private var transition: Transition?

  init(_ settings: Mixer.Settings, _ names: [String]) {
    (self.settings, self.names) = (settings, names)
  }

  mutating func scene(of tiles: [TileState], at now: MediaTime) -> Scene {
    let choice = settings.control.current
    let places = places(choice, at: now)
    let isMoving = transition.map { !$0.isOver(at: now) } ?? false
    let contents = places.map { place in
      let tile = tiles[place.tile]
      return TileContent(
        tile.shown, isMuted: choice.mutedTiles.contains(tile.name), isLabelled: !isMoving)
    }
    return Scene(places, contents)
  }

  private mutating func places(_ choice: ProgrammeControl.Choice, at now: MediaTime) -> [Place] {
    let large = choice.spotlight.flatMap { names.firstIndex(of: $0) } ?? 0
    let layout = choice.shownLayout
    if let shown, shown == (layout, large), let transition { return transition.places(at: now) }
    let new = layout.places(for: names.count, large: large, in: settings.format.size)
    let old = transition?.places(at: now)
    let next = Transition(
      from: old ?? new, to: new, start: now,
      duration: old == nil ? .zero : settings.programme.transition)
    (shown, transition) = ((layout, large), next)
    return next.places(at: now)
  }
}
