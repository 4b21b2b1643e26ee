import HoldfastFFmpeg
package import HoldfastMediaModel
import HoldfastPlatform

/// One connection to a network source, whose packets are passed on as they arrive, with the sender's own times: for who
/// has a buffer of its own.
package final class NetworkRelay: Sendable {
  /// A packet with the track that it belongs to.
  package struct Item: ~Copyable {
    package let track: Track
    package let media: MediaPacket
    private let packet: NetworkPacket

    /// `format` is the connection's first one, in which libavformat goes on counting.
    fileprivate init(
      _ packet: consuming NetworkPacket, _ copied: CopiedTrack, at time: MediaTime,
      countedIn format: Track.Format
    ) {
      track = copied.track
      media = packet.media(of: copied, at: time, isCounted: copied.track.format == format)
      self.packet = packet
    }

    /// The picture of a keyframe as a JPEG file; nil if it can't be decoded.
    package borrowing func jpeg(within width: Int) -> [UInt8]? {
      guard let picture = try? packet.picture() else { return nil }
      return try? picture.jpeg(within: width)
    }
  }

  private let settings: NetworkSettings
  private let call = NetworkCall()

  package init(_ settings: NetworkSettings) { self.settings = settings }

  /// Lets `run` return soon.
  package func stop() { call.stop() }

  /// Connects, and reads until the source ends or is stopped. What can't be copied is left out.
  package func run(deliver: (borrowing Item) -> Void) throws(CaptureError) {
    silenceFFmpeg()
    let failure: SourceFailure
    do throws(FFmpegError) { failure = try read(deliver) } catch {
      failure = call.failure ?? SourceFailure(error)
    }
    throw failure.error(.video, settings.address)
  }

  private func read(_ deliver: (borrowing Item) -> Void) throws(FFmpegError) -> SourceFailure {
    call.begin(until: .now + settings.connectTimeout)
    var input = try NetworkInput(settings.input) { [call] in call.failure != nil }
    var copied: [TrackKind: CopiedTrack] = [:]
    for (kind, track) in input.streams { copied[kind] = try? track.copied() }
    let formats = copied.mapValues(\.track.format)
    var last: [TrackKind: MediaTime] = [:]
    while !call.isStopped {
      call.begin(until: .now + settings.stallTimeout)
      guard let packet = try input.next() else { return .ended }
      let kind = packet.track.kind
      guard let known = copied[kind] else { continue }
      let track = try known.beginning(with: packet) ?? known
      copied[kind] = track
      let time = packet.stamp ?? last[kind].map { $0 + packet.duration } ?? .zero
      last[kind] = time
      deliver(Item(packet, track, at: time, countedIn: formats[kind] ?? track.track.format))
    }
    return .stopped
  }
}

/// What may end a call into libavformat from outside. Asked before each of its reads, so mostly without a system call.
final class NetworkCall: Sendable {
  private let state = Locked((limits: CallLimits(), isStopped: false))

  /// For good.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Begins a call, which is to be given up at `deadline`.
  func begin(until deadline: MonotonicTime?) { state.withLock { $0.limits.begin(until: deadline, at: .now) } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Why the current call is to be given up; nil if it is not.
  var failure: SourceFailure? { state.withLock { $0.isStopped ? .stopped : $0.limits.failure(at: .now) } }
}
