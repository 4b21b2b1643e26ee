import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// The tiles of a programme for as long as their sources run. They follow the cast: who stays in it keeps its source.
final class RunningTiles: Sendable {
  typealias MakeTile =
    @Sendable (TileRequest, _ number: Int, _ soundPosition: Int64) throws(CaptureError) -> Tile

  private struct Part: Sendable {
    var request: TileRequest
    let tile: Tile
  }

  private struct State: Sendable {
    var parts: [String: Part] = [:]
    var lineup = Lineup()
    var lastNumber = 0
    var beganAt = MonotonicTime(nanoseconds: 0)
    var follower: StoppableThread?
  }

  private let settings: Mixer.Settings
  private let makeTile: MakeTile
  private let state = Locked(State())

  /// How long a start waits for the tiles, so that its first picture shows them.
  private static let startPatience = MediaTime.seconds(3)

  init(_ settings: Mixer.Settings, _ makeTile: @escaping MakeTile) {
    (self.settings, self.makeTile) = (settings, makeTile)
  }

  var lineup: Lineup { state.withLock { $0.lineup } }

  func start() throws(CaptureError) {
    let began = MonotonicTime.now
    state.withLock { $0.beganAt = began }
    guard settings.programme.tiles.isEmpty else { return try follow(Cast(settings.programme.tiles)) }
    _ = settings.control.firstCast.take(until: began + Self.startPatience)
    do throws(SystemError) {
      let changes = try Wakeup()
      settings.control.announceCasts(to: changes)
      followControl()
      let follower = try StoppableThread(name: "tiles") { [self] stop in
        while (try? stop.poll([changes.descriptor], until: nil)) == .ready {
          changes.clear()
          followControl()
        }
        settings.control.announceNoCasts(to: changes)
      }
      state.withLock { $0.follower = follower }
    } catch {
      throw CaptureError(
        .unsuitable, .video, device: "stage", what: "\(error)",
        hint: "check whether the machine is out of memory or threads")
    }
  }

  private func followControl() {
    guard let cast = settings.control.cast else { return }
    do throws(CaptureError) { try follow(cast) } catch {
      settings.note("the tiles of the programme can't be changed: \(error)")
    }
  }

  /// Called on one thread at a time.
  func follow(_ cast: Cast) throws(CaptureError) {
    var (old, number) = state.withLock { ($0.parts, $0.lastNumber) }
    var parts: [String: Part] = [:]
    var new: [Tile] = []
    let position = MixedSound.frame(at: .now)
    for part in cast.places.compactMap(\.self) {
      if let known = old[part.id], known.request.hasSource(of: part.request) {
        old[part.id] = nil
        known.tile.state.rename(part.request.name)
        if let address = part.request.address { known.tile.move(to: address) }
        parts[part.id] = Part(request: part.request, tile: known.tile)
      } else {
        number += 1
        let tile = try makeTile(part.request, number, position)
        new.append(tile)
        parts[part.id] = Part(request: part.request, tile: tile)
      }
    }
    let lineup = Lineup(
      places: cast.places.map { part in
        part.flatMap { part in
          parts[part.id].map {
            Lineup.Seat(tile: $0.tile.state, name: part.request.name, isMuted: part.isMuted)
          }
        }
      }, large: cast.large.flatMap { parts[$0]?.tile.state.number })
    state.withLock { ($0.parts, $0.lineup, $0.lastNumber) = (parts, lineup, number) }
    for tile in new { try tile.start() }
    for part in old.values { part.tile.stop() }
  }

  func awaitFirstWords() {
    let (parts, limit) = state.withLock { ($0.parts.values, $0.beganAt + Self.startPatience) }
    for part in parts { _ = part.tile.state.firstWord.take(until: limit) }
  }

  func stop() {
    state.withLock { $0.follower.take() }?.stop()
    let parts = state.withLock { state in
      defer { (state.parts, state.lineup) = ([:], Lineup()) }
      return state.parts.values
    }
    for part in parts { part.tile.stop() }
  }
}
