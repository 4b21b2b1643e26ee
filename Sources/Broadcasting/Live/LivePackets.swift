import HoldfastLive
package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// What is encoded anyway, as fragments of MP4 for viewers over HTTP. Without a viewer it only keeps the newest packets,
/// which share their bytes with the outputs. Thread-safe, and never blocks.
package final class LivePackets: Sendable {
  package static let maxViewers = 100

  fileprivate let state = Locked(LiveState())
  fileprivate let wake: @Sendable () -> Void

  /// `wake` is called, on any thread, when viewers have something to take.
  package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Begins another broadcast of these tracks; returns what takes its packets.
  func begin(_ tracks: Set<TrackKind>, _ renditions: LiveRenditions = LiveRenditions()) -> LiveReceiver {
    LiveReceiver(packets: self, broadcast: state.withLock { $0.begin(tracks, renditions) })
  }

  /// Whether `join` has nothing to wait for. Nil is what those get who choose none, as there.
  package func isEncoded(_ rendition: String?) -> Bool { state.withLock { $0.isEncoded(rendition) } }

  /// A rendition that is not encoded begins with its first viewer, who waits for that until `deadline`.
  package func join(
    _ rendition: String? = nil, until deadline: MonotonicTime = .now
  ) throws(LiveRefusal) -> LiveViewer {
    let (viewer, start) = try state.withLock { (state) throws(LiveRefusal) in
      try state.join(rendition, Self.maxViewers)
    }
    do throws(LiveRefusal) {
      guard let started = start.take(until: deadline) else { throw .notLive }
      return LiveViewer(packets: self, number: viewer, mimeType: try started.get())
    } catch {
      leave(viewer)
      throw error
    }
  }

  fileprivate func leave(_ viewer: Int) { state.withLock { $0.leave(viewer) } }

  /// What may be asked for by name; empty while there is no broadcast.
  package var choices: [LiveChoice] { state.withLock { $0.choices } }
  package var figuresByRendition: [RenditionID: LiveFigures] { state.withLock { $0.figures } }
  package var figures: LiveFigures { LiveFigures(figuresByRendition.values) }
}

package enum LiveRefusal: Error, Hashable, Sendable {
  case tooManyViewers
  /// Nothing is encoded, or not in time.
  case notLive
  /// The rendition can't be encoded now.
  case noRoom(String)
}

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

extension LiveFigures {
  init(_ parts: some Sequence<LiveFigures>) {
    for part in parts {
      viewers += part.viewers
      sentBytes += part.sentBytes
      skips += part.skips
      skippedPictures += part.skippedPictures
      lag = max(lag, part.lag)
    }
  }
}

/// Takes the packets of one broadcast that belong to all renditions, or those of one encode.
struct LiveReceiver: PacketReceiver {
  fileprivate let packets: LivePackets
  fileprivate let broadcast: Int
  private(set) fileprivate var encode: LiveEncode?

  func offer(_ track: Track) {
    for (rendition, tracks) in state.withLock({ $0.announce(track, of: encode, in: broadcast) }) {
      // What MP4 can't hold can't be watched.
      guard let head = try? FileHead(tracks) else { continue }
      state.withLock { $0.begin(tracks, head: head, of: rendition, in: broadcast) }
    }
    packets.wake()
  }

  func offer(_ packet: MediaPacket) {
    if state.withLock({ $0.add(packet, of: encode, in: broadcast) }) { packets.wake() }
  }

  /// What takes the packets of another encode of `rendition`.
  func begin(_ rendition: RenditionID) -> LiveReceiver {
    var receiver = self
    receiver.encode = state.withLock { $0.beginEncode(of: rendition, in: broadcast) }
    return receiver
  }

  var watched: Set<RenditionID> { state.withLock { $0.watched(in: broadcast) } }

  /// A rendition can't be encoded for viewers.
  func refuse(_ rendition: RenditionID, why: String) {
    state.withLock { $0.refuse(rendition, why: why, in: broadcast) }
    packets.wake()
  }

  /// Ends the streams of the viewers.
  func end() {
    state.withLock { state in
      if let encode { state.end(encode) } else { state.end(broadcast) }
    }
    packets.wake()
  }

  private var state: Locked<LiveState> { packets.state }
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

  package func next() -> Step {
    switch packets.state.withLock({ $0.next(of: number) }) {
    case .bytes(let bytes): return .bytes(bytes)
    case .packet(let packet, let head, let run):
      // Outside of the lock, which the encoders take, too.
      let fragment = LiveRun.fragment(packet, head)
      packets.state.withLock { $0.add(fragment, of: packet.number, run: run, for: number) }
      return .bytes(fragment)
    case .nothing: return .nothing
    case .over: return .over
    }
  }

  /// An empty box, which shows that the connection is there.
  package static let padding = LiveMessage.padding

  /// A message that ends the stream.
  package static func end(code: String, message: String) -> [UInt8] {
    LiveMessage.over(["code": .text(code), "message": .text(message)], at: .zero)
  }
}
