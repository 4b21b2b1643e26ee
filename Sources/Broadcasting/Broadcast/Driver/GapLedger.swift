import HoldfastMediaModel
import HoldfastPublishing

/// All gaps and interruptions of a broadcast.
struct GapLedger {
  private(set) var gaps: [Gap]
  private(set) var interruptions: [Gap]

  var count: Int { gaps.count + interruptions.count }
  var interrupted: MediaTime { interruptions.reduce(.zero) { $0 + max($1.lostVideo, $1.lostAudio) } }

  mutating func add(_ loss: OutputLoss, of output: String, at now: WallTime) -> Gap? {
    guard let mediaAt = loss.mediaAt else { return nil }
    let gap = Gap(
      .network, output: output, wallFrom: now - max(loss.video, loss.audio), wallTo: now, mediaAt: mediaAt,
      lostVideo: loss.video, lostPictures: loss.pictures, lostAudio: loss.audio)
    gaps.append(gap)
    return gap
  }

  mutating func add(_ loss: TrackLoss, at now: WallTime) -> Gap {
    let gap = Gap(
      loss.cause, output: loss.output, wallFrom: now - loss.duration, wallTo: now, mediaAt: loss.mediaAt,
      lostVideo: loss.track == .video ? loss.duration : .zero, lostPictures: loss.pictures,
      lostAudio: loss.track == .audio ? loss.duration : .zero)
    gaps.append(gap)
    return gap
  }

  /// Closes `interruption` when media time runs again in `tracks`.
  mutating func add(
    _ interruption: OpenInterruption, _ cause: Gap.Cause, endedBy start: MediaStart,
    _ tracks: Set<TrackKind>, at now: WallTime
  ) -> (gap: Gap, length: MediaTime) {
    let length = start.at - (start.lastEnd ?? interruption.since)
    let lost = { tracks.contains($0) ? length + (interruption.extraLoss[$0] ?? .zero) : .zero }
    let gap = Gap(
      interruption.cause ?? cause, wallFrom: interruption.wallSince, wallTo: now,
      mediaAt: interruption.mediaAt ?? start.mediaTime, lostVideo: lost(.video), lostAudio: lost(.audio))
    interruptions.append(gap)
    return (gap, length)
  }
}
