import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing
import HoldfastPlatform

/// The pictures of a programme, composed by the monotonic clock from the newest picture of each tile.
struct MixedPictures {
  let mixer: Mixer

  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    let settings = mixer.settings
    var director = Director(settings)
    var painter = ProgrammePainter(settings)
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
        let lineup = mixer.lineup
        let scene = director.scene(of: lineup, at: time - MonotonicTime(nanoseconds: 0))
        let picture = try painter.paint(scene, of: lineup.tilesByNumber)
        deliver(
          CapturedFrame(
            picture, captureTime: time, lostBefore: lost, absentMembers: lineup.missing(.video, at: time)))
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
  private struct Arrangement: Hashable {
    var layout: Layout
    var tiles: [Int?]
    var large: Int?
  }

  private let settings: Mixer.Settings
  private var shown: Arrangement?
  private var transition: Transition?

  init(_ settings: Mixer.Settings) { self.settings = settings }

  mutating func scene(of lineup: Lineup, at now: MediaTime) -> Scene {
    let choice = settings.control.current
    let places = places(of: lineup, choice, at: now)
    let seats = lineup.seatsByNumber
    let contents = places.map { place in
      guard let seat = seats[place.tile] else { return TileContent(.gone, name: nil) }
      let isSettled = transition?.isSettled(place) ?? true
      return TileContent(
        seat.tile.shown, name: isSettled ? seat.name : nil, isMuted: seat.isMuted(by: choice))
    }
    return Scene(places, contents)
  }

  private mutating func places(
    of lineup: Lineup, _ choice: ProgrammeControl.Choice, at now: MediaTime
  ) -> [Place] {
    let new = Arrangement(
      layout: choice.shownLayout, tiles: lineup.picturePlaces,
      large: choice.spotlight.flatMap { lineup.number(of: $0) } ?? lineup.large)
    if shown == new, let transition { return transition.places(at: now) }
    let target = new.layout.places(of: new.tiles, large: new.large, in: settings.format.size)
    let old = transition?.places(at: now)
    let next = Transition(
      from: old ?? target, to: target, start: now,
      duration: old == nil ? .zero : settings.programme.transition)
    (shown, transition) = (new, next)
    return next.places(at: now)
  }
}
