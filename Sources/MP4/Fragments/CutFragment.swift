/// What is there of a fragment in which a file ends.
struct CutFragment: Hashable, Sendable {
  /// The fragment with only the samples that are there.
  private(set) var fragment: Fragment
  /// A head of the same length that describes these alone, in place of the present one.
  let head: Patch

  /// Nil if no sample is there, or if the present head is none of ours, which have room for a change.
  fileprivate init?(_ found: Fragment, tracks: [RecordedTrack], fileSize: Int) {
    fragment = found
    let start = found.movie.upperBound + Box.headLength
    for index in found.parts.indices {
      let samples = found.parts[index].samples
      fragment.parts[index].samples = Array(samples.prefix { $0.bytes.upperBound <= fileSize })
    }
    fragment.parts.removeAll { $0.samples.isEmpty }
    let samples = fragment.parts.flatMap { part in
      part.samples.map { (track: tracks.firstIndex { $0.id == part.track }, sample: $0) }
    }.sorted { $0.sample.bytes.precedes($1.sample.bytes) }
    let length = found.movie.count + Box.headLength
    guard !samples.isEmpty,
      var open = OpenFragment(
        at: found.movie.lowerBound, sequenceNumber: found.number, headLength: length, tracks: tracks)
    else { return nil }
    for (track, sample) in samples {
      guard sample.bytes.lowerBound == open.end, sample.bytes.upperBound - start <= OpenFragment.maxBytes,
        let track, let described = FragmentSample(sample), open.add(described, to: track)
      else { return nil }
    }
    fragment.media = start..<open.end
    guard fragment.isWhole(tracks) else { return nil }
    head = Patch(offset: found.movie.lowerBound, bytes: open.head())
  }
}

extension FragmentReader {
  /// The fragment at `start`, if its description is complete and the file ends before its samples do.
  func cutFragment(at start: Int) -> CutFragment? {
    description(at: start).flatMap { CutFragment($0.fragment, tracks: tracks, fileSize: source.size) }
  }
}

extension FragmentSample {
  fileprivate init?(_ sample: Fragment.Sample) {
    guard let delay = Int32(exactly: sample.delay), let duration = UInt32(exactly: sample.duration) else {
      return nil
    }
    self.init(
      size: sample.bytes.count, decodeTime: sample.time, delay: delay, duration: duration,
      isKeyframe: sample.isKeyframe)
  }
}
