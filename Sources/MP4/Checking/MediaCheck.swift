/// Looks at where a fragment's samples lie, and at what can be said of their bytes: which of them are not what they were.
struct MediaCheck {
  let source: RecordingBytes
  let formats: [UInt32: SampleFormat]

  /// Which samples of each part are whole, in their order.
  struct Verdict: Hashable {
    var isWhole: [[Bool]]
    /// Bytes that no sample describes, or that two do.
    var isTiled = true

    var isFine: Bool { isTiled && isWhole.allSatisfy { $0.allSatisfy { $0 } } }
  }

  private struct Run {
    let part: Int
    let samples: Range<Int>
    let bytes: Range<Int>
  }

  func verdict(on fragment: Fragment) -> Verdict {
    var verdict = Verdict(
      isWhole: fragment.parts.map { part in
        part.samples.map {
          fragment.media.lowerBound <= $0.bytes.lowerBound && $0.bytes.upperBound <= fragment.media.upperBound
        }
      })
    let bad = misplaced(in: fragment)
    verdict.isTiled = bad.isEmpty
    if !bad.isEmpty, fragment.hasUnknownBoxes {
      // One of the boxes may have been a run, without which nobody knows the times of those behind it.
      verdict.isWhole = fragment.parts.map { $0.samples.map { _ in false } }
      return verdict
    }
    for (index, part) in fragment.parts.enumerated() {
      let lengthSize = formats[part.track]?.lengthSize
      for sample in part.samples.indices where verdict.isWhole[index][sample] {
        guard let lengthSize else { continue }
        verdict.isWhole[index][sample] = isMadeOfUnits(part.samples[sample].bytes, lengthSize)
      }
    }
    for run in bad {
      // Where units show it, the samples before the wrong length are known to be right.
      guard formats[fragment.parts[run.part].track]?.lengthSize == nil else { continue }
      for sample in run.samples { verdict.isWhole[run.part][sample] = false }
    }
    spread(&verdict, in: fragment)
    return verdict
  }

  /// What lies between two garbled samples, with none between them that is known to be right, is garbled, too.
  private func spread(_ verdict: inout Verdict, in fragment: Fragment) {
    var places: [(part: Int, sample: Int, offset: Int)] = []
    for (index, part) in fragment.parts.enumerated() {
      places += part.samples.indices.map { (index, $0, part.samples[$0].bytes.lowerBound) }
    }
    places.sort { $0.offset < $1.offset }
    var behindGarbled: [(part: Int, sample: Int)]?
    for (part, sample, _) in places {
      if !verdict.isWhole[part][sample] {
        for between in behindGarbled ?? [] { verdict.isWhole[between.part][between.sample] = false }
        behindGarbled = []
      } else if formats[fragment.parts[part].track]?.lengthSize != nil {
        behindGarbled = nil
      } else {
        behindGarbled?.append((part, sample))
      }
    }
  }

  /// The runs that don't lie between their neighbours, so that a length or a place in them is wrong.
  private func misplaced(in fragment: Fragment) -> [Run] {
    var runs: [Run] = []
    for (index, part) in fragment.parts.enumerated() {
      var first = 0
      for count in part.runs where count > 0 {
        let samples = first..<first + count
        first += count
        let bytes =
          part.samples[samples.lowerBound].bytes
          .lowerBound..<part.samples[samples.upperBound - 1].bytes.upperBound
        runs.append(Run(part: index, samples: samples, bytes: bytes))
      }
    }
    runs.sort { ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound) }
    var bad: [Run] = []
    // What is cut off is missing, not misplaced.
    let end = max(fragment.media.upperBound, fragment.samplesEnd)
    if let first = runs.first, first.bytes.lowerBound != fragment.media.lowerBound { bad.append(first) }
    for (index, run) in runs.enumerated() {
      let next = index + 1 < runs.count ? runs[index + 1].bytes.lowerBound : end
      if run.bytes.upperBound != next { bad.append(run) }
    }
    return bad
  }

  /// More units than any picture has.
  private static let maxUnits = 4096

  /// A unit is a length and so many bytes.
  private func isMadeOfUnits(_ bytes: Range<Int>, _ lengthSize: Int) -> Bool {
    var offset = bytes.lowerBound
    var units = 0
    while offset < bytes.upperBound {
      // The length, and the unit's first byte, of which the highest bit is never set.
      let head = source.some(lengthSize + 1, at: offset)
      guard head.count == lengthSize + 1, head[lengthSize] & 0x80 == 0 else { return false }
      let length = head[..<lengthSize].reduce(0) { $0 << 8 | Int($1) }
      guard length > 0, length <= bytes.upperBound - offset - lengthSize else { return false }
      offset += lengthSize + length
      units += 1
      guard units <= Self.maxUnits else { return false }
    }
    return true
  }
}
