import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// Takes one track from a connection, each packet when it is due.
struct NetworkTaking {
  private let connection: NetworkConnection
  private let track: NetworkTrack
  private let rhythm: DeliveryRhythm
  private var lastArrival = MonotonicTime.now
  private var lastDelivery: MonotonicTime?

  /// A source without data for this long is lost.
  static let patience = MediaTime.seconds(1)
  /// Of a source that sends less often, this many pictures may be missing.
  private static let maxMissing: Int64 = 3
  private static let wakeInterval = MediaTime.milliseconds(100)

  init(_ connection: NetworkConnection, _ track: NetworkTrack, _ rhythm: DeliveryRhythm? = nil) {
    self.connection = connection
    self.track = track
    self.rhythm =
      rhythm ?? .paced(MediaTime(nanoseconds: min(track.frameDuration.nanoseconds, 40_000_000) / 4))
  }

  /// Passes each packet to `decode`, until stopped; throws when the source is lost.
  mutating func run(
    _ stop: Wakeup,
    decode: (inout NetworkDecoder, borrowing Arrival, NetworkConnection) throws(FFmpegError) -> Void
  ) throws(CaptureError) {
    var decoder = try mapError(NetworkDecoder(track), unusable)
    while let arrival = try next(stop) {
      do throws(FFmpegError) { try decode(&decoder, arrival, connection) } catch { throw unusable(error) }
    }
  }

  /// The next packet once it is due; nil when stopped. Throws when the source is lost.
  mutating func next(_ stop: Wakeup) throws(CaptureError) -> Arrival? {
    guard let arrival = try take(stop) else { return nil }
    let now = MonotonicTime.now
    lastArrival = max(arrival.time.time, now)
    let delivery = rhythm.delivery(
      due: connection.dueTime(of: arrival.time), arrived: arrival.time.time, last: lastDelivery, now: now)
    if delivery > now ? stop.wait(until: delivery) : stop.isSignalled { return nil }
    lastDelivery = max(now, delivery)
    return arrival
  }

  private func take(_ stop: Wakeup) throws(CaptureError) -> Arrival? {
    while true {
      if let arrival = connection.take(track.kind, until: .now + Self.wakeInterval) { return arrival }
      if stop.isSignalled { return nil }
      if let failure = connection.failure, !connection.hasMedia(track.kind) {
        throw failure.error(track.kind, connection.address)
      }
      let silence = MonotonicTime.now - lastArrival
      if silence > patience { throw SourceFailure.silent(silence).error(track.kind, connection.address) }
    }
  }

  func unusable(_ error: FFmpegError) -> CaptureError {
    SourceFailure.unusable("\(error)").error(track.kind, connection.address)
  }

  private var patience: MediaTime {
    MediaTime(nanoseconds: max(Self.patience.nanoseconds, track.frameDuration.nanoseconds * Self.maxMissing))
  }
}

/// When packets leave the jitter buffer.
enum DeliveryRhythm: Hashable, Sendable {
  /// Each when it is due; late ones in quick succession, but not faster than they can be encoded.
  case paced(MediaTime)
  /// Together at multiples of this time, less than a step after each is due.
  case steps(MediaTime)

  func delivery(
    due: MonotonicTime, arrived: MonotonicTime, last: MonotonicTime?, now: MonotonicTime
  ) -> MonotonicTime {
    switch self {
    case .paced(let pace): max(due, last.map { $0 + pace } ?? now)
    case .steps(let step): max(due, arrived).roundedUp(to: step)
    }
  }
}

extension NetworkTrack {
  private static let maxInterval = MediaTime.seconds(10)

  fileprivate var frameDuration: MediaTime {
    switch format {
    case .video(let format): min(format.frameRate.frameDuration, Self.maxInterval)
    case .audio: .zero
    }
  }
}

extension MonotonicTime {
  fileprivate func roundedUp(to step: MediaTime) -> MonotonicTime {
    let above = nanoseconds % step.nanoseconds
    return above == 0 ? self : MonotonicTime(nanoseconds: nanoseconds - above + step.nanoseconds)
  }
}
