package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// What is encoded anyway, as fragments of MP4 for viewers over HTTP. Without a viewer it only keeps the newest packets,
/// which share their bytes with the outputs. Thread-safe, and never blocks.
package final class LivePackets: Sendable {
  package static let maxViewers = 100

  private let state = Locked(LiveState())
  private let wake: @Sendable () -> Void

  /// `wake` is called, on any thread, when viewers have something to take.
  package init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Begins another broadcast of these tracks; returns what takes its packets.
  func begin(_ tracks: Set<TrackKind>) -> LiveReceiver {
    LiveReceiver(packets: self, broadcast: state.withLock { $0.begin(tracks) })
  }

  /// Nil while nothing is encoded.
  package func join() throws(TooManyViewers) -> LiveViewer? {
    let joined = try state.withLock { (state) throws(TooManyViewers) in try state.join(Self.maxViewers) }
    return joined.map { LiveViewer(packets: self, number: $0.number, mimeType: $0.mimeType) }
  }

  package var figures: LiveFigures { state.withLock { $0.figures } }

  fileprivate func announce(_ track: Track, of broadcast: Int) {
    // What MP4 can't hold can't be watched.
    guard let tracks = state.withLock({ $0.announce(track, of: broadcast) }), let head = try? FileHead(tracks)
    else { return }
    state.withLock { $0.begin(tracks, head: head, of: broadcast) }
    wake()
  }

  fileprivate func take(_ packet: MediaPacket, of broadcast: Int) {
    if state.withLock({ $0.add(packet, of: broadcast) }) { wake() }
  }

  fileprivate func end(_ broadcast: Int) {
    state.withLock { $0.end(broadcast) }
    wake()
  }

  fileprivate func leave(_ viewer: Int) { state.withLock { $0.leave(viewer) } }

  fileprivate func next(of viewer: Int) -> LiveViewer.Step {
    switch state.withLock({ $0.next(of: viewer) }) {
    case .bytes(let bytes): return .bytes(bytes)
    case .packet(let packet, let head, let run):
      // Outside of the lock, which the encoders take, too.
      let fragment = LiveRun.fragment(packet, head)
      state.withLock { $0.add(fragment, of: packet.number, run: run) }
      return .bytes(fragment)
    case .nothing: return .nothing
    case .over: return .over
    }
  }
}

package struct TooManyViewers: Error, Hashable, Sendable {}

/// What viewers cost, since the start of the process.
package struct LiveFigures: Hashable, Sendable {
  package var viewers = 0
  package var sentBytes: Int64 = 0
  /// How often a slow viewer lost the rest of its group of pictures, and perhaps further ones.
  package var skips = 0
  package var skippedPictures = 0
  /// How far the slowest viewer is behind the newest packet.
  package var lag = MediaTime.zero
}

/// Takes the packets of one broadcast.
struct LiveReceiver: PacketReceiver {
  fileprivate let packets: LivePackets
  fileprivate let broadcast: Int

  func offer(_ track: Track) { packets.announce(track, of: broadcast) }
  func offer(_ packet: MediaPacket) { packets.take(packet, of: broadcast) }

  /// Ends the streams of the viewers.
  func end() { packets.end(broadcast) }
}

/// A viewer, who leaves when this is released. Each piece that it gets consists of whole boxes.
package final class LiveViewer: Sendable {
  package enum Step: Hashable, Sendable {
    case bytes([UInt8])
    case nothing
    case over
  }

  /// With the codecs.
  package let mimeType: String
  private let packets: LivePackets
  private let number: Int

  fileprivate init(packets: LivePackets, number: Int, mimeType: String) {
    self.packets = packets
    self.number = number
    self.mimeType = mimeType
  }

  deinit { packets.leave(number) }

  package func next() -> Step { packets.next(of: number) }

  /// An empty box, which shows that the connection is there.
  package static let padding = LiveState.padding

  /// A message that ends the stream.
  package static func end(code: String, message: String) -> [UInt8] {
    LiveState.word("over", ["code": .text(code), "message": .text(message)], id: 0, at: .zero)
  }
}
