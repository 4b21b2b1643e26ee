import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastPublishing

/// Sends a medium in real time, as long as it is asked to.
final class LiveRun {
  let run: SRTRun
  private let start = MonotonicTime.now
  private var packets: ArraySlice<MediaPacket>

  /// More than an output hands to a sink that does not get rid of it.
  private static let maxBacklog = 64 << 10

  init(_ run: SRTRun, _ media: EncodedMedia) {
    self.run = run
    packets = media.packets[...]
  }

  /// Ends when `condition` holds, when the medium is over, or with what the sink throws.
  func go(until condition: () -> Bool = { false }) throws {
    while !condition(), !packets.isEmpty { try step() }
  }

  /// Sends what is due, and lets the sink work for a moment.
  func step(_ length: MediaTime = .milliseconds(20)) throws {
    while let next = packets.first, start + next.decodeTime <= .now, run.sink.backlog < Self.maxBacklog {
      packets.removeFirst()
      try run.sink.send(next)
    }
    try run.turn(length)
  }
}
