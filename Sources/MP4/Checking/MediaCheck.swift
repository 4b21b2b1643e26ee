/// Finds the garbled samples of a fragment from their offsets and, for video, NAL unit lengths.
struct MediaCheck {
  let source: RecordingBytes
  let formats: [UInt32: SampleFormat]

  /// Whether each sample of each part is intact.
  struct Verdict: Hashable {
    var isWhole: [[Bool]]
    /// False if bytes of the media belong to no sample or to more than one.
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
      // An unknown box may be a damaged `trun`, without which the times of later samples are unknown.
      verdict.isWhole = fragment.parts.map { $0.samples.map { _ in false } }
      return verdict
    }
    // Where there are units, their lengths show which samples are intact.
    for run in bad where formats[fragment.parts[run.part].track]?.lengthSize == nil {
      for sample in run.samples { verdict.isWhole[run.part][sample] = false }
    }
    let places = Self.places(in: fragment)
    checkUnits(&verdict, places, in: fragment)
    spread(&verdict, places, in: fragment)
    return verdict
  }

  private typealias Place = (part: Int, sample: Int, bytes: Range<Int>)

  /// The samples in the order of their bytes.
  private static func places(in fragment: Fragment) -> [Place] {
    var places: [Place] = []
    for (index, part) in fragment.parts.enumerated() {
      places += part.samples.indices.map { (index, $0, part.samples[$0].bytes) }
    }
    return places.sorted { $0.bytes.precedes($1.bytes) }
  }

  /// Checks the units of pictures. Of samples in the same bytes, only the first one can be intact.
  private func checkUnits(_ verdict: inout Verdict, _ places: [Place], in fragment: Fragment) {
    var end = fragment.media.lowerBound
    // Samples that share no bytes have fewer.
    var unitsLeft = fragment.media.count
    for (part, sample, bytes) in places where verdict.isWhole[part][sample] {
      var isWhole = bytes.lowerBound >= end
      if isWhole, let lengthSize = formats[fragment.parts[part].track]?.lengthSize {
        isWhole = consistsOfUnits(bytes, lengthSize, &unitsLeft)
      }
      verdict.isWhole[part][sample] = isWhole
      if isWhole { end = bytes.upperBound }
    }
  }

  /// Marks samples between two garbled ones as garbled, too, unless a checked one is between.
  private func spread(_ verdict: inout Verdict, _ places: [Place], in fragment: Fragment) {
    var sinceGarbled: [(part: Int, sample: Int)]?
    for (part, sample, _) in places {
      if !verdict.isWhole[part][sample] {
        for between in sinceGarbled ?? [] { verdict.isWhole[between.part][between.sample] = false }
        sinceGarbled = []
      } else if formats[fragment.parts[part].track]?.lengthSize != nil {
        sinceGarbled = nil
      } else {
        sinceGarbled?.append((part, sample))
      }
    }
  }

  /// The runs that do not adjoin their neighbours, so that a length or an offset in them is wrong.
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
    runs.sort { $0.bytes.precedes($1.bytes) }
    var bad: [Run] = []
    // A truncated fragment lacks samples; they are not misplaced.
    let end = max(fragment.media.upperBound, fragment.samplesEnd)
    if let first = runs.first, first.bytes.lowerBound != fragment.media.lowerBound { bad.append(first) }
    for (index, run) in runs.enumerated() {
      let next = index + 1 < runs.count ? runs[index + 1].bytes.lowerBound : end
      if run.bytes.upperBound != next { bad.append(run) }
    }
    return bad
  }

  private static let maxUnits = 4096

  /// Whether the bytes are a sequence of length-prefixed NAL units.
  private func consistsOfUnits(_ bytes: Range<Int>, _ lengthSize: Int, _ unitsLeft: inout Int) -> Bool {
    var offset = bytes.lowerBound
    var units = 0
    while offset < bytes.upperBound {
      // The length, and the first byte of the unit, whose highest bit is always 0.
      let head = source.some(lengthSize + 1, at: offset)
      guard head.count == lengthSize + 1, head[lengthSize] & 0x80 == 0 else { return false }
      let length = head[..<lengthSize].reduce(0) { $0 << 8 | Int($1) }
      guard length > 0, length <= bytes.upperBound - offset - lengthSize else { return false }
      offset += lengthSize + length
      units += 1
      unitsLeft -= 1
      guard units <= Self.maxUnits, unitsLeft > 0 else { return false }
    }
    return true
  }
}

extension Range<Int> {
  /// The order of samples in a file: an empty one comes before the one that begins at the same byte.
  func precedes(_ other: Range<Int>) -> Bool {
    (lowerBound, upperBound) < (other.lowerBound, other.upperBound)
  }
}
