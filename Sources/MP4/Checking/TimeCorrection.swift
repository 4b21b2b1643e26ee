/// Corrects timestamps and sequence numbers that do not match the neighbouring fragments, as a single
/// flipped bit must cost neither its fragment nor later ones.
struct TimeCorrection {
  private struct Reached: Hashable {
    /// End of the track, and decode time of its last sample.
    var end: Int64
    var last: Int64
  }

  private let timescales: [UInt32: Int64]
  private var reached: [UInt32: Reached] = [:]
  private var lastNumber: UInt32 = 0

  /// In seconds; a longer gap is taken for a wrong timestamp if the other tracks continue without one.
  private static let maxGap: Int64 = 10

  init(tracks: [RecordedTrack]) {
    timescales = Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, Int64($0.timescale)) })
  }

  func end(of track: UInt32) -> Int64 { reached[track]?.end ?? 0 }

  /// Returns whether anything was changed. Samples that fit nowhere are dropped.
  mutating func correct(_ kept: inout KeptFragment, before next: Fragment?) -> Bool {
    var isChanged = false
    for index in kept.fragment.parts.indices where correctPart(index, &kept, before: next) {
      isChanged = true
    }
    for index in kept.fragment.parts.indices where dropRepeated(index, &kept) { isChanged = true }
    if isChanged { kept.isRewritten = true }
    if correctNumber(&kept, before: next) { isChanged = true }
    for (index, part) in kept.fragment.parts.enumerated() {
      guard let last = kept.samples(index).last else { continue }
      reached[part.track] = Reached(end: last.end, last: last.time)
    }
    return isChanged
  }

  /// Drops samples that are not decoded after the one before.
  private func dropRepeated(_ index: Int, _ kept: inout KeptFragment) -> Bool {
    let part = kept.fragment.parts[index]
    var last = reached[part.track]?.last ?? -1
    var isChanged = false
    for sample in part.samples.indices where kept.isKept[index][sample] {
      if part.samples[sample].time > last {
        last = part.samples[sample].time
      } else {
        kept.isKept[index][sample] = false
        isChanged = true
      }
    }
    return isChanged
  }

  private mutating func correctNumber(_ kept: inout KeptFragment, before next: Fragment?) -> Bool {
    let number = kept.fragment.number
    let isAhead = next.map { $0.number <= number && $0.number > lastNumber &+ 1 } ?? false
    guard number <= lastNumber || isAhead, lastNumber < .max else {
      lastNumber = number
      return false
    }
    lastNumber += 1
    kept.fragment.number = lastNumber
    kept.isRenumbered = true
    return true
  }

  private func correctPart(_ index: Int, _ kept: inout KeptFragment, before next: Fragment?) -> Bool {
    let part = kept.fragment.parts[index]
    guard let last = part.samples.last, let timescale = timescales[part.track] else { return false }
    let follower = next?.parts.first { $0.track == part.track && !$0.samples.isEmpty }
    let usual = Self.median(part.samples.map(\.duration))
    let length = part.end - part.start
    guard let before = reached[part.track] else {
      guard let follower, follower.start <= last.time else { return false }
      if part.start < follower.start, correct(index, &kept, part.start, follower, fits: false, usual: usual) {
        return true
      }
      guard follower.start >= length || part.start > follower.start else { return false }
      kept.fragment.parts[index].move(to: max(0, follower.start - length))
      return part.start > 0
    }
    /// True if the part's length fits the space between its neighbours.
    let fits = follower.map { abs($0.start - before.end - length) <= usual / 2 } ?? false
    if part.start <= before.last {
      guard fits || (follower == nil && isConsistent(kept.fragment, but: part.track)) else {
        kept.isKept[index] = kept.isKept[index].map { _ in false }
        return true
      }
      kept.fragment.parts[index].move(to: before.end)
      return true
    }
    if let follower, follower.start <= last.time {
      return correct(index, &kept, before.end, follower, fits: fits, usual: usual)
    }
    if follower == nil, part.start - before.end > Self.maxGap * timescale,
      isConsistent(kept.fragment, but: part.track)
    {
      kept.fragment.parts[index].move(to: before.end)
      return true
    }
    return false
  }

  /// Resolves an overlap with the next fragment, one of whose timestamps is wrong.
  private func correct(
    _ index: Int, _ kept: inout KeptFragment, _ before: Int64, _ follower: Fragment.Part, fits: Bool,
    usual: Int64
  ) -> Bool {
    let part = kept.fragment.parts[index]
    // The next fragment starts before the previous end, so its timestamp is the wrong one.
    guard follower.start > before else { return false }
    let isContinuous = part.start - before <= 2 * max(usual, 1)
    if fits, !isContinuous {
      kept.fragment.parts[index].move(to: before)
      return true
    }
    let excess = part.end - follower.start
    let longest = part.samples.indices.max { part.samples[$0].duration < part.samples[$1].duration }
    if let longest, part.samples[longest].duration - excess >= usual / 4,
      part.samples[longest].duration > usual * 5 / 4
    {
      kept.fragment.parts[index].shorten(longest, by: excess)
      return true
    }
    let nextUsual = Self.median(follower.samples.map(\.duration))
    if isContinuous, nextUsual > 0, usual > 0, usual >= nextUsual * 3 / 2 {
      kept.fragment.parts[index].respace(until: follower.start)
      return true
    }
    guard !isContinuous else { return false }
    for sample in part.samples.indices where part.samples[sample].time >= follower.start {
      kept.isKept[index][sample] = false
    }
    return true
  }

  /// Whether another track of the fragment continues where it ended.
  private func isConsistent(_ fragment: Fragment, but track: UInt32) -> Bool {
    fragment.parts.contains { part in
      guard part.track != track, let before = reached[part.track], let timescale = timescales[part.track]
      else {
        return false
      }
      return part.start > before.last && part.start - before.end <= Self.maxGap * timescale
    }
  }

  private static func median(_ lengths: [Int64]) -> Int64 {
    lengths.isEmpty ? 0 : lengths.sorted()[lengths.count / 2]
  }
}

extension Fragment.Part {
  fileprivate mutating func move(to newStart: Int64) {
    let distance = newStart - start
    start = newStart
    for index in samples.indices { samples[index].time += distance }
  }

  fileprivate mutating func shorten(_ index: Int, by excess: Int64) {
    samples[index].duration -= excess
    for later in samples.indices where later > index { samples[later].time -= excess }
  }

  /// Spreads the samples evenly.
  fileprivate mutating func respace(until end: Int64) {
    let count = Int64(samples.count)
    // Division first, as the product might overflow.
    let (each, rest) = (end - start).quotientAndRemainder(dividingBy: count)
    func share(_ index: Int) -> Int64 { each * Int64(index) + rest * Int64(index) / count }
    for index in samples.indices {
      samples[index].time = start + share(index)
      samples[index].duration = share(index + 1) - share(index)
    }
  }
}
