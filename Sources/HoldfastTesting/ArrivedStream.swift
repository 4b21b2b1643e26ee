internal import HoldfastMediaModel
internal import HoldfastMediaServer

/// What a local server has got of one publish.
public struct ArrivedStream: Hashable, Sendable, CustomStringConvertible {
  private let report: StreamReport
  /// The publish is over.
  public let isEnded: Bool

  public var name: String { report.name }
  /// Nil until the track's first packet.
  public var video: ArrivedTrack? { report.video.map(ArrivedTrack.init) }
  public var audio: ArrivedTrack? { report.audio.map(ArrivedTrack.init) }
  /// One line for a person.
  public var description: String { report.description }

  init?(_ event: MediaServer.Event) {
    guard let arrival = event.arrival else { return nil }
    (report, isEnded) = arrival
  }
}

/// What a local server has got of one track.
public struct ArrivedTrack: Hashable, Sendable {
  let report: TrackReport

  /// Pictures or pieces of sound.
  public var packets: Int { report.packets }
  public var keyframes: Int { report.keyframes }
  public var bytes: Int { report.bytes }
  /// From the first packet to the last on the publish's own time line.
  public var length: Duration { .nanoseconds((report.lastTime - report.firstTime).nanoseconds) }
}

extension MediaServer.Event {
  /// What has arrived of a publish, and whether that is all of it; nil for other events.
  var arrival: (report: StreamReport, isEnded: Bool)? {
    switch self {
    case .arrived(let report): (report, false)
    case .ended(let report, _): (report, true)
    case .listening, .publishing, .data, .recorded, .recordingFailed, .playing, .skipped, .playerLeft,
      .refused, .cutOff, .stopped:
      nil
    }
  }
}

/// Why a local server did not start.
public struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  /// What happened, to what, and what to do about it.
  public var description: String {
    "local server: \(reason); see whether the machine is out of ports or threads"
  }
}
