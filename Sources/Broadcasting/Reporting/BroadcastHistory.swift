import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastRecording

/// The history of the last hours, for a timeline.
package struct BroadcastHistory: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case live, interrupted, backgrounded
    case gap
  }

  package struct Span: Hashable, Sendable {
    package let kind: Kind
    package fileprivate(set) var from: WallTime
    package fileprivate(set) var to: WallTime?
    package let cause: String?
    /// The output with the gap; nil for all.
    package let output: String?
  }

  package private(set) var spans: [Span] = []

  static let maxCount = 200
  static let maxAge = MediaTime.seconds(12 * 3600)

  package init() {}

  package mutating func handle(_ line: EventLine) {
    switch line.event {
    case .live, .resumed: begin(.live, line.at)
    case .interrupted(let cause, _): begin(.interrupted, line.at, cause: cause.rawValue)
    case .backgrounded: begin(.backgrounded, line.at)
    case .starting, .previewing, .ended: finish(line.at)
    case .gap(let gap): add(gap)
    case .clock(let step): shift(by: step)
    case .losing, .device, .track, .output, .air, .ending, .bitrate, .recording, .disk, .timer, .gate, .mute,
      .source, .membership, .programme:
      return
    }
    forget(before: line.at)
  }

  private mutating func begin(_ kind: Kind, _ at: WallTime, cause: String? = nil) {
    if let last = spans.last, last.to == nil, last.kind == kind, last.cause == cause { return }
    finish(at)
    spans.append(Span(kind: kind, from: at, to: nil, cause: cause, output: nil))
  }

  private mutating func finish(_ at: WallTime) {
    for index in spans.indices where spans[index].to == nil { spans[index].to = at }
  }

  /// Skips gaps already covered by an interruption, and those of a programme's members.
  private mutating func add(_ gap: Gap) {
    guard gap.member == nil else { return }
    let isInterruption = spans.contains {
      $0.kind == .interrupted && gap.output == nil && $0.from < gap.wallTo
        && gap.wallFrom < ($0.to ?? gap.wallTo)
    }
    guard !isInterruption else { return }
    let span = Span(
      kind: .gap, from: gap.wallFrom, to: gap.wallTo, cause: gap.cause.rawValue, output: gap.output)
    let place = spans.lastIndex { $0.to != nil }.map { $0 + 1 } ?? 0
    spans.insert(span, at: place)
  }

  /// So that the spans lie where the clock now says that they were.
  private mutating func shift(by step: MediaTime) {
    for index in spans.indices {
      spans[index].from = spans[index].from + step
      spans[index].to = spans[index].to.map { $0 + step }
    }
  }

  private mutating func forget(before now: WallTime) {
    let first = WallTime(nanoseconds: now.nanoseconds - Self.maxAge.nanoseconds)
    spans.removeAll { $0.to.map { $0 < first } ?? false }
    if spans.count > Self.maxCount { spans.removeFirst(spans.count - Self.maxCount) }
  }
}
