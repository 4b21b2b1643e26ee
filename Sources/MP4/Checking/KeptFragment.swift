/// A fragment of a recording, and what of it goes into the repaired one.
package struct KeptFragment: Hashable, Sendable {
  package internal(set) var fragment: Fragment
  /// Which samples of each part are kept.
  var isKept: [[Bool]]
  /// It can't be copied as it is.
  var isRewritten = false
  var isRenumbered = false

  /// Pictures behind one that is missing can't be decoded: they go, until the next that a decoder can begin with.
  mutating func dropDependents(of tracks: Set<UInt32>) {
    for (index, part) in fragment.parts.enumerated() where tracks.contains(part.track) {
      var isBroken = false
      for sample in part.samples.indices {
        if !isKept[index][sample] {
          isBroken = true
        } else if part.samples[sample].isKeyframe {
          isBroken = false
        }
        if isBroken { isKept[index][sample] = false }
      }
    }
  }

  /// The kept samples of a part. The one before a loss lasts until what follows it.
  package func samples(_ index: Int) -> [Fragment.Sample] {
    var result: [Fragment.Sample] = []
    for (sample, isKept) in zip(fragment.parts[index].samples, isKept[index]) where isKept {
      if let last = result.indices.last { result[last].duration = sample.time - result[last].time }
      result.append(sample)
    }
    return result
  }
}
