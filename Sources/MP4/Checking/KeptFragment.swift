/// A fragment, and the samples of it that a repair keeps.
package struct KeptFragment: Hashable, Sendable {
  package internal(set) var fragment: Fragment
  /// Whether each sample of each part is kept.
  var isKept: [[Bool]]
  /// The fragment cannot be copied verbatim.
  var isRewritten = false
  var isRenumbered = false

  /// Drops the video samples that depend on a missing one, up to the next keyframe.
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

  /// The kept samples of a part; each is extended to the next kept one.
  package func samples(_ index: Int) -> [Fragment.Sample] {
    var result: [Fragment.Sample] = []
    for (sample, isKept) in zip(fragment.parts[index].samples, isKept[index]) where isKept {
      if let last = result.indices.last { result[last].duration = sample.time - result[last].time }
      result.append(sample)
    }
    return result
  }
}
