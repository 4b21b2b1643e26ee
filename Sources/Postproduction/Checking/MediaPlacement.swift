import HoldfastMediaModel
import HoldfastRecording

/// Where the journal's media time is in a file.
struct MediaPlacement {
  private let span: RecordingJournal.Span
  private(set) var pauses: [GapCheck.Pause] = []

  init(_ span: RecordingJournal.Span, _ interruptions: [Interruption]) {
    self.span = span
    // A file does not keep an interruption right before it.
    let inside = interruptions.filter { $0.to != nil && contains($0.resumedAt) }
    var standstills = span.standstills[...]
    for (index, interruption) in inside.enumerated() {
      let isAtOrigin = interruption.resumedAt - span.origin < HoleRule.maxDistance
      let isKept = !standstills.isEmpty && (!isAtOrigin || inside.count - index <= standstills.count)
      let length = isKept ? standstills.removeFirst() : .zero
      pauses.append(
        GapCheck.Pause(
          cause: interruption.cause, media: interruption.resumedAt, at: time(of: interruption.resumedAt),
          wall: interruption.wallDuration, kept: length))
    }
  }

  /// The media time that is 0 in the file.
  var origin: MediaTime { span.origin }

  func contains(_ media: MediaTime) -> Bool { media >= span.origin && span.end.map { media < $0 } ?? true }

  /// Time in the file; where this keeps an interruption, the time before it unless `media` `isStart` of
  /// something.
  func time(of media: MediaTime, isStart: Bool = false) -> MediaTime {
    pauses.reduce(media - span.origin) { time, pause in
      pause.media < media || isStart && pause.media == media ? time + pause.kept : time
    }
  }

  /// Nil if the file contains no part of the gap.
  func found(_ gap: Gap) -> GapCheck.Found? {
    let from = max(gap.mediaAt, span.origin)
    guard contains(from) else { return nil }
    var lost: [TrackKind: MediaTime] = [:]
    let end = min(gap.mediaAt + gap.extent, span.end ?? MediaTime(nanoseconds: .max))
    for (kind, length) in [(TrackKind.video, gap.lostVideo), (.audio, gap.lostAudio)] where length > .zero {
      let lostUntil = gap.hasSeveralHoles ? end : min(end, gap.mediaAt + length)
      if lostUntil > from { lost[kind] = min(length, lostUntil - from) }
    }
    return lost.isEmpty ? nil : GapCheck.Found(gap: gap, at: time(of: from), lost: lost, extent: end - from)
  }
}
