internal import HoldfastMediaModel
internal import HoldfastMediaServer

/// What a local server has got of one publish.
public struct ArrivedStream: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  /// The publish is over.
  public let isEnded: Bool
  /// Nil until the track's first packet.
  public let video: ArrivedTrack?
  public let audio: ArrivedTrack?
  /// One line for a person.
  public let description: String

  init?(_ event: MediaServer.Event) {
    let report: StreamReport
    switch event {
    case .arrived(let arrived): (report, isEnded) = (arrived, false)
    case .ended(let ended, _): (report, isEnded) = (ended, true)
    case .listening, .publishing, .data, .recorded, .recordingFailed, .playing, .skipped, .playerLeft,
      .refused,
      .cutOff, .stopped:
      return nil
    }
    name = report.name
    video = report.video.map(ArrivedTrack.init)
    audio = report.audio.map(ArrivedTrack.init)
    description = report.description
  }
}

/// What a local server has got of one track.
public struct ArrivedTrack: Hashable, Sendable {
  /// Pictures or pieces of sound.
  public let packets: Int
  public let keyframes: Int
  public let bytes: Int
  /// From the first packet to the last on the publish's own time line.
  public let length: Duration

  init(_ report: TrackReport) {
    packets = report.packets
    keyframes = report.keyframes
    bytes = report.bytes
    length = .nanoseconds((report.lastTime - report.firstTime).nanoseconds)
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
