/// Reads what a fragment holds of one track: a `traf` box.
struct FragmentPartReading {
  let tracks: [RecordedTrack]
  let number: Int
  /// Of the fragment, with both of its boxes.
  let length: Int
  private var defaults = SampleDefaults()
  private var runs = 0

  private var latest: Int64 = 0
  /// More than any fragment has.
  private static let mostSamples = 1 << 24

  init(tracks: [RecordedTrack], number: Int, length: Int) {
    self.tracks = tracks
    self.number = number
    self.length = length
  }

  mutating func part(_ fragment: BoxBytes) throws(FragmentedFileError) -> Fragment.Part {
    let boxes = try fragment.boxes()
    guard let head = boxes.first(where: { $0.type == FourCharacters("tfhd") }) else {
      throw .damaged("a fragment of no track")
    }
    let about = try TrackFragmentHead(head.content, tracks: tracks)
    defaults = about.defaults
    latest = about.track.latest
    guard let time = boxes.first(where: { $0.type == FourCharacters("tfdt") }) else {
      throw .damaged("a fragment without a time")
    }
    let start = try time.content.decodeTime(before: latest)
    var part = Fragment.Part(track: about.track.id, number: number, start: start, end: start)
    for box in boxes where box.type == FourCharacters("trun") { try add(box.content, to: &part) }
    return part
  }

  private mutating func add(_ content: BoxBytes, to part: inout Fragment.Part) throws(FragmentedFileError) {
    runs += 1
    var content = content
    let (version, flags) = try content.versionAndFlags()
    let count = Int(try content.uint32())
    guard part.samples + count <= Self.mostSamples else { throw .tooLarge("\(count) samples in a fragment") }
    let offset = flags & 0x001 != 0 ? Int(Int32(bitPattern: try content.uint32())) : 0
    let firstFlags = flags & 0x004 != 0 ? try content.uint32() : nil
    let bytesBefore = part.bytes
    if flags & 0xF00 == 0 {
      // Nothing is said of them one by one, so nothing limits how many there may be.
      note(firstFlags ?? defaults.flags, sample: 1, shownAfter: 0, count: count, &part)
      part.end += Int64(count) * Int64(defaults.duration)
      part.bytes += count * Int(defaults.size)
    } else {
      for sample in 0..<count {
        let duration = flags & 0x100 != 0 ? try content.uint32() : defaults.duration
        let size = flags & 0x200 != 0 ? try content.uint32() : defaults.size
        let own = flags & 0x400 != 0 ? try content.uint32() : defaults.flags
        let delay = flags & 0x800 != 0 ? try content.uint32() : 0
        note(
          sample == 0 ? firstFlags ?? own : own, sample: sample + 1,
          shownAfter: version == 0 ? Int64(delay) : Int64(Int32(bitPattern: delay)), count: count, &part)
        part.end += Int64(duration)
        part.bytes += Int(size)
      }
    }
    part.samples += count
    guard part.end < latest else { throw .tooLarge("a time of \(part.end)") }
    guard offset >= 0, offset + part.bytes - bytesBefore <= length else {
      throw .damaged("a fragment's samples are not in it")
    }
  }

  private func note(
    _ flags: UInt32, sample: Int, shownAfter delay: Int64, count: Int, _ part: inout Fragment.Part
  ) {
    guard part.keyframe == nil, count > 0, flags & 0x1_0000 == 0 else { return }
    part.keyframe = Fragment.Keyframe(time: part.end + delay, run: runs, sample: sample)
  }
}
