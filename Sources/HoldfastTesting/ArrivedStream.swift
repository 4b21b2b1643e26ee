import HoldfastMediaModel
import HoldfastMediaServer

/// The media that a local server has received of one publish.
public struct ArrivedStream: Hashable, Sendable, CustomStringConvertible {
  private let report: StreamReport
  /// Whether the publish has ended.
  public let hasEnded: Bool

  public var name: String { report.name }
  /// Whether the publisher asked to append to the stream's recording, as after an outage.
  public var isContinuation: Bool { report.type == .append }
  /// The video track; nil before its first packet.
  public var video: ArrivedTrack? { report.video.map(ArrivedTrack.init) }
  public var audio: ArrivedTrack? { report.audio.map(ArrivedTrack.init) }
  /// A one-line human-readable summary.
  public var description: String { report.description }

  init?(_ event: MediaServer.Event) {
    guard let arrival = event.arrival else { return nil }
    (report, hasEnded) = arrival
  }
}

/// The media that a local server has received of one track.
public struct ArrivedTrack: Hashable, Sendable {
  let report: TrackReport

  /// The number of pictures or audio frames.
  public var packets: Int { report.packets }
  public var keyframes: Int { report.keyframes }
  public var bytes: Int { report.bytes }
  /// The time from the first packet to the last, by the publish's timestamps.
  public var duration: Duration { .nanoseconds((report.lastTime - report.firstTime).nanoseconds) }
}

extension MediaServer.Event {
  /// The media received of a publish, and whether it has ended; nil for other events.
  var arrival: (report: StreamReport, hasEnded: Bool)? {
    switch self {
    case .arrived(let report): (report, false)
    case .ended(let report, _): (report, true)
    case .listening, .publishing, .data, .recorded, .movedAside, .recordingFailed, .playing, .skipped,
      .playerLeft,
      .refused, .cutOff, .certificateRenewed, .stopped:
      nil
    }
  }
}

/// Why a local server failed to start or restart.
public struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String

  init(_ error: any Error) { reason = "\(error)" }

  /// What failed, why, and how to fix it.
  public var description: String {
    "local server: \(reason); check whether the machine is out of ports or threads"
  }
}
