import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// One tile of a programme: its sources on threads of their own, which lose and find them again.
final class Tile: Sendable {
  let state: TileState
  /// Of a network source; both tracks share it.
  private let stream: NetworkStream?
  private let pictures: PictureFeed?
  private let sound: SoundFeed?
  /// One opener per track, as drivers and servers take their time.
  private let openers: [TrackKind: ThreadSlot]

  init(_ state: TileState, _ stream: NetworkStream?, _ pictures: PictureFeed?, _ sound: SoundFeed?) {
    (self.state, self.stream, self.pictures, self.sound) = (state, stream, pictures, sound)
    openers = Dictionary(
      uniqueKeysWithValues: [pictures?.track, sound?.track].compactMap(\.self).map { ($0, ThreadSlot()) })
    pictures?.watch(FeedReceiver(receive: { captured, _ in state.show(captured.takeFrame()) }))
    sound?.watch(FeedReceiver(receive: { block, _ in state.add(block) }))
  }

  private var feeds: [any SourceFeed] {
    [pictures.map { $0 as any SourceFeed }, sound.map { $0 as any SourceFeed }].compactMap(\.self)
  }

  /// Opens the sources in the background; those that are away are searched for.
  func start() throws(CaptureError) {
    for feed in feeds {
      do throws(SystemError) {
        try openers[feed.track]?.start(name: "tile-opener") {
          do throws(CaptureError) {
            try feed.open()
          } catch {
            // Only a machine without threads fails here, too.
            try? feed.openWithout(error)
          }
        }
      } catch {
        throw CaptureError(
          .unsuitable, feed.track, device: state.name, what: "\(error)",
          hint: "check whether the machine is out of memory or threads")
      }
    }
  }

  /// Connects there from the next connection on.
  func move(to address: SourceAddress) { stream?.move(to: address) }

  func stop() {
    for feed in feeds {
      openers[feed.track]?.join()
      feed.close()
    }
  }
}
