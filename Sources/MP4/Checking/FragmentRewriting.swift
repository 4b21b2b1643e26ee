/// Makes a fragment's description anew, for the samples that are kept.
struct FragmentRewriting {
  /// What `mdat` holds: where its pieces lie in the old file.
  let pieces: [Range<Int>]
  /// `moof`, and the head of `mdat`.
  let head: [UInt8]

  private struct Kept {
    let part: Int
    let sample: Fragment.Sample
  }

  init(_ kept: KeptFragment) {
    let fragment = kept.fragment
    let samples = fragment.parts.indices.map { kept.samples($0) }
    var all: [Kept] = []
    for (part, samples) in samples.enumerated() { all += samples.map { Kept(part: part, sample: $0) } }
    all.sort { $0.sample.bytes.lowerBound < $1.sample.bytes.lowerBound }

    var pieces: [Range<Int>] = []
    var runs: [[(offset: Int, samples: [Fragment.Sample])]] = fragment.parts.map { _ in [] }
    var length = 0
    var lastPart: Int?
    for kept in all {
      if lastPart == kept.part, let last = runs[kept.part].indices.last {
        runs[kept.part][last].samples.append(kept.sample)
      } else {
        runs[kept.part].append((length, [kept.sample]))
      }
      lastPart = kept.part
      if let last = pieces.last, last.upperBound == kept.sample.bytes.lowerBound {
        pieces[pieces.count - 1] = last.lowerBound..<kept.sample.bytes.upperBound
      } else {
        pieces.append(kept.sample.bytes)
      }
      length += kept.sample.bytes.count
    }
    self.pieces = pieces

    func movie(_ mediaOffset: Int) -> [UInt8] {
      let number = Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(fragment.number))
      let parts = fragment.parts.indices.filter { !samples[$0].isEmpty }.flatMap { index in
        Self.part(
          fragment.parts[index].track, start: samples[index].first?.time ?? 0, runs[index],
          mediaOffset: mediaOffset)
      }
      return Box.make("moof", number + parts)
    }
    // Where the samples lie does not change how long the description is.
    let description = movie(movie(0).count + 8)
    head =
      description + Box.bytes(UInt32(truncatingIfNeeded: length + 8)) + Box.bytes(FourCC("mdat").code)
  }

  private static func part(
    _ track: UInt32, start: Int64, _ runs: [(offset: Int, samples: [Fragment.Sample])], mediaOffset: Int
  ) -> [UInt8] {
    let head = Box.make("tfhd", Box.bytes(UInt32(0x02_0000)) + Box.bytes(track))
    let time = Box.make("tfdt", Box.bytes(UInt32(1 << 24)) + Box.bytes(UInt64(bitPattern: start)))
    let all = runs.flatMap { run in
      var content = Box.bytes(UInt32(1 << 24 | 0xF01)) + Box.bytes(UInt32(run.samples.count))
      content += Box.bytes(UInt32(truncatingIfNeeded: run.offset + mediaOffset))
      for sample in run.samples {
        content += Box.bytes(UInt32(clamping: sample.duration)) + Box.bytes(UInt32(sample.bytes.count))
        content += Box.bytes(sample.flags) + Box.bytes(Int32(clamping: sample.delay))
      }
      return Box.make("trun", content)
    }
    return Box.make("traf", head + time + all)
  }
}
