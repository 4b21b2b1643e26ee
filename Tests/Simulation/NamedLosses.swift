internal import HoldfastMediaModel
internal import HoldfastRecording

/// What a broadcast's journal says is missing, in the world's own time.
struct NamedLosses {
  private(set) var interruptions = Spans()
  private(set) var causes: [(Range<Int64>, String)] = []
  /// By output.
  private(set) var gaps: [String: Spans] = [:]
  /// What was filled in for a device that had gone.
  private(set) var devices: [TrackKind: Spans] = [:]
  let isReadable: Bool

  init(_ journal: Journal, _ truth: Truth, _ host: Host) {
    isReadable = journal.beginning != nil && journal.garbledLines <= truth.crashes.count
    for one in GapMap(journal).interruptions {
      guard let to = one.to.flatMap(host.time), let from = host.time(of: one.from), from < to else {
        continue
      }
      interruptions.insert(from..<to)
      causes.append((from..<to, one.cause))
    }
    for record in journal.records {
      guard case .gap(let gap) = record.entry, let at = host.time(of: record.instant) else { continue }
      let length = max(gap.lostVideo, gap.lostAudio).nanoseconds
      let spans = truth.captured(media: gap.mediaAt.nanoseconds, length: length, at: at)
      if let output = gap.output {
        gaps[output] = (gaps[output] ?? Spans()).union(spans)
      } else {
        let track = gap.lostVideo > .zero ? TrackKind.video : .audio
        devices[track] = (devices[track] ?? Spans()).union(spans)
      }
    }
  }
}
