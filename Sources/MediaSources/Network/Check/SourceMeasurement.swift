package import HoldfastMediaModel
import HoldfastPlatform

/// What the first packets of a network source say about it.
package struct SourceMeasurement: Hashable, Sendable {
  package struct Packet: Hashable, Sendable {
    var kind: TrackKind
    var decodeStamp: MediaTime?
    var presentationStamp: MediaTime?
    var isKeyframe = true
    var bytes: Int
    var arrival: MonotonicTime

    fileprivate var stamp: MediaTime? { decodeStamp ?? presentationStamp }
  }

  private struct Track: Hashable {
    var packets = 0
    var bytes = 0
    var unstamped = 0
    var stepsBack = 0
    var jumps = 0
    var last: Packet?
    /// The media between the first packet and the last, without jumps.
    var length = MediaTime.zero
    var keyframe: MediaTime?
    var longestKeyframeInterval: MediaTime?
    /// The distance between arrival and stamp, of the earliest and of the latest packet.
    var delays: ClosedRange<MediaTime>?

    mutating func add(_ packet: Packet, maxStep: MediaTime, countsDelay: Bool) {
      if let last { step(from: last, to: packet, maxStep) }
      if packet.isKeyframe {
        let interval = keyframe.map { length - $0 }
        longestKeyframeInterval = [longestKeyframeInterval, interval].compactMap { $0 }.max()
        keyframe = length
      }
      packets += 1
      bytes += packet.bytes
      last = packet
      guard let stamp = packet.stamp else { return unstamped += 1 }
      guard countsDelay else { return }
      let delay = MediaTime(nanoseconds: packet.arrival.nanoseconds) - stamp
      delays = min(delays?.lowerBound ?? delay, delay)...max(delays?.upperBound ?? delay, delay)
    }

    private mutating func step(from last: Packet, to packet: Packet, _ maxStep: MediaTime) {
      let waited = packet.arrival - last.arrival
      guard let before = last.stamp, let stamp = packet.stamp else { return length += waited }
      let step = stamp - before
      // Presentation stamps go back with B-frames.
      let isBack = step < .zero && (packet.decodeStamp != nil || step < .zero - maxStep)
      let isAhead = step > waited + maxStep
      if isBack { stepsBack += 1 }
      if isAhead { jumps += 1 }
      if isAhead || step < .zero - maxStep {
        delays = nil
        length += waited
      } else {
        length += max(.zero, step)
      }
    }

    var perSecond: Double? { packets > 1 && length > .zero ? Double(packets - 1) / length.seconds : nil }
    var bitsPerSecond: Double? { perSecond.map { $0 * Double(bytes * 8) / Double(packets) } }
  }

  /// Stamps further apart than this are not of one clock.
  private static let maxDifference = MediaTime.seconds(1)
  /// A server may begin with what it has kept for new viewers.
  private static let settling = MediaTime.seconds(1)

  private var tracks: [TrackKind: Track] = [:]
  private var first: MonotonicTime?
  /// How far stamps may run ahead of the clock without being a jump.
  private let maxStep: MediaTime

  /// `isAhead`: the source sends ahead of time.
  package init(isAhead: Bool = false) { maxStep = .seconds(isAhead ? 10 : 1) }

  package mutating func add(_ packet: Packet) {
    let first = first ?? packet.arrival
    self.first = first
    let isSettled = packet.arrival - first >= Self.settling
    tracks[packet.kind, default: Track()].add(packet, maxStep: maxStep, countsDelay: isSettled)
  }

  package func perSecond(_ kind: TrackKind) -> Double? { tracks[kind]?.perSecond }
  package func bitsPerSecond(_ kind: TrackKind) -> Double? { tracks[kind]?.bitsPerSecond }
  /// The media seen of the longer track.
  package var length: MediaTime { tracks.values.map(\.length).max() ?? .zero }

  /// The longest distance between two keyframes; nil if there were not two.
  package var keyframeInterval: MediaTime? { tracks[.video]?.longestKeyframeInterval }

  /// How much later than the earliest the latest packet came; nil without stamps. The tracks count together if
  /// their stamps are of one clock.
  package var jitter: MediaTime? {
    let delays = tracks.values.compactMap(\.delays)
    guard let earliest = delays.map(\.lowerBound).min(), let latest = delays.map(\.upperBound).max() else {
      return nil
    }
    return isOfOneClock ? latest - earliest : delays.map { $0.upperBound - $0.lowerBound }.max()
  }

  /// Whether the stamps of the tracks are near each other.
  package var isOfOneClock: Bool {
    let earliest = tracks.values.compactMap { $0.delays?.lowerBound }
    guard let least = earliest.min(), let most = earliest.max() else { return true }
    return most - least <= Self.maxDifference
  }

  /// What is wrong with the stamps.
  package var clockProblems: [String] {
    var problems: [String] = []
    for kind in TrackKind.allCases {
      guard let track = tracks[kind] else { continue }
      let name = kind == .video ? "picture" : "sound"
      if track.unstamped == track.packets {
        problems.append("the \(name) has no stamps, and is timed by its arrival")
      } else if track.unstamped > 0 {
        problems.append("\(track.unstamped) of \(track.packets) packets of the \(name) have no stamp")
      }
      for (count, what) in [(track.stepsBack, "went back"), (track.jumps, "jumped ahead")] where count > 0 {
        problems.append("the stamps of the \(name) \(what) \(count == 1 ? "once" : "\(count) times")")
      }
    }
    if !isOfOneClock {
      problems.append("picture and sound have clocks of their own, so they may be out of step")
    }
    return problems
  }

  /// The setting of `--source-latency` that covers `jitter` and half of it more.
  package static func latency(for jitter: MediaTime) -> MediaTime {
    let tenths = (jitter.seconds * 1.5 * 10).rounded(.up)
    return .milliseconds(Int64(max(1, tenths)) * 100)
  }
}
