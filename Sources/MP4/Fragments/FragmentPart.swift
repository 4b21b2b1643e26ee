/// The samples of one track in a fragment, as runs of adjacent samples.
package struct FragmentPart: Hashable, Sendable {
  private struct Run: Hashable, Sendable {
    let offset: Int
    /// The first sample is the only keyframe of the run.
    let beginsWithKeyframe: Bool
    var samples: [FragmentSample]
    /// Not all durations equal that of the part's first sample.
    var haveOwnDurations = false
    var haveDelays = false

    private var sampleLength: Int { 4 + (haveOwnDurations ? 4 : 0) + (haveDelays ? 4 : 0) }
    var length: Int { 20 + (beginsWithKeyframe ? 4 : 0) + samples.count * sampleLength }

    func write(to bytes: inout [UInt8], mediaOffset: Int) {
      bytes.addHead(of: "trun", length: length)
      // Version 1 allows negative composition offsets.
      bytes.add(
        UInt32(0x0100_0201) | (beginsWithKeyframe ? 0x004 : 0) | (haveOwnDurations ? 0x100 : 0)
          | (haveDelays ? 0x800 : 0))
      bytes.add(UInt32(samples.count))
      bytes.add(Int32(mediaOffset + offset))
      if beginsWithKeyframe { bytes.add(FragmentPart.keyframeFlags) }
      for sample in samples {
        if haveOwnDurations { bytes.add(sample.duration) }
        bytes.add(UInt32(sample.size))
        if haveDelays { bytes.add(sample.delay) }
      }
    }
  }

  package struct Start: Hashable, Sendable {
    package let time: Int64
    package let isKeyframe: Bool
  }

  let track: UInt32
  let areAllKeyframes: Bool
  private var runs: [Run] = []
  private(set) var start: Start?
  private(set) var end: Int64?
  /// End of the last sample in the `mdat`.
  private(set) var mediaEnd = 0

  /// Sample flags (ISO/IEC 14496-12): independent sample; dependent, and no sync sample.
  private static let keyframeFlags: UInt32 = 0x0200_0000
  private static let otherFlags: UInt32 = 0x0101_0000

  init(track: UInt32, areAllKeyframes: Bool) {
    self.track = track
    self.areAllKeyframes = areAllKeyframes
  }

  /// Length of the `traf` box; 0 without samples.
  var length: Int { runs.isEmpty ? 0 : Box.headLength + 24 + 20 + runs.reduce(0) { $0 + $1.length } }

  private var usualDuration: UInt32 { runs.first?.samples.first?.duration ?? 0 }

  mutating func add(_ sample: FragmentSample, at offset: Int, continuesRun: Bool) {
    start = start ?? Start(time: sample.decodeTime, isKeyframe: sample.isKeyframe)
    end = sample.decodeTime + Int64(sample.duration)
    mediaEnd = offset + sample.size
    let isSpecial = sample.isKeyframe && !areAllKeyframes
    if isSpecial || !continuesRun || runs.isEmpty {
      runs.append(Run(offset: offset, beginsWithKeyframe: isSpecial, samples: []))
    }
    let last = runs.count - 1
    runs[last].samples.append(sample)
    if sample.duration != usualDuration { runs[last].haveOwnDurations = true }
    if sample.delay != 0 { runs[last].haveDelays = true }
  }

  /// Makes the part end at `time`; false if it does already, or the duration is out of range.
  mutating func extend(to time: Int64) -> Bool {
    guard let run = runs.indices.last, let sample = runs[run].samples.indices.last, end != time,
      let duration = UInt32(exactly: time - runs[run].samples[sample].decodeTime), duration > 0
    else { return false }
    runs[run].samples[sample].duration = duration
    end = time
    // A single sample defines the usual duration and needs no field of its own.
    let isFirst = runs.count == 1 && sample == 0
    if !isFirst, duration != usualDuration { runs[run].haveOwnDurations = true }
    return true
  }

  func write(to bytes: inout [UInt8], mediaOffset: Int) {
    guard let start else { return }
    bytes.addHead(of: "traf", length: length)
    bytes.addHead(of: "tfhd", length: 24)
    // Data offsets count from the `moof`; default duration and flags follow.
    bytes.add(UInt32(0x02_0028))
    bytes.add(track)
    bytes.add(usualDuration)
    bytes.add(areAllKeyframes ? Self.keyframeFlags : Self.otherFlags)
    bytes.addHead(of: "tfdt", length: 20)
    bytes.add(UInt32(0x0100_0000))
    bytes.add(start.time)
    for run in runs { run.write(to: &bytes, mediaOffset: mediaOffset) }
  }
}
