package import HoldfastMP4
import HoldfastMediaModel

/// A recording put together byte by byte, so that the position of everything is known.
package struct SampleFile {
  package enum Layout: CaseIterable {
    /// A run for each change of track, room in each description and between some fragments.
    case grown
    /// One run a track.
    case plain
  }

  package struct Sample: Hashable {
    package let track: UInt32
    package let time: Int64
    package let content: [UInt8]

    package init(track: UInt32, time: Int64, content: [UInt8]) {
      (self.track, self.time, self.content) = (track, time, content)
    }
  }

  /// A sample, its bytes, and the end of the description that it needs.
  package struct Placed {
    package let sample: Sample
    package let bytes: Range<Int>
    package let describedUntil: Int
  }

  package private(set) var bytes: [UInt8] = []
  package private(set) var placed: [Placed] = []
  package private(set) var fragments: [Range<Int>] = []
  package let headLength: Int
  private let leap: Int

  package var samples: [Sample] { placed.map(\.sample) }

  /// `leap`: so many seconds are missing before the third fragment.
  package init(_ layout: Layout, fragments count: Int = 4, isFinished: Bool = true, leap: Int = 0) {
    self.leap = leap
    bytes = Self.head()
    headLength = bytes.count
    if layout == .grown { bytes += Box.make("free", [UInt8](repeating: 0, count: 300)) }
    for index in 0..<count {
      addFragment(index, layout)
      if layout == .grown, index == 1 { bytes += Box.make("free", [UInt8](repeating: 9, count: 20)) }
    }
    if isFinished { bytes += index() }
  }

  /// Ten pictures and ten packets of sound make a second, which begins with a keyframe.
  private mutating func addFragment(_ index: Int, _ layout: Layout) {
    var media: [(sample: Sample, isKeyframe: Bool)] = []
    for number in 0..<10 {
      let all = (index + (index > 1 ? leap : 0)) * 10 + number
      let size = number == 0 ? 40 : 9 + all % 5
      let unit = [number == 0 ? 0x65 : 0x41] + [UInt8](repeating: UInt8(all & 0x7F), count: size)
      let picture = Box.bytes(UInt32(unit.count)) + unit
      media.append((Sample(track: 1, time: Int64(all) * 9000, content: picture), number == 0))
      let sound = [UInt8](repeating: UInt8(0x80 | all & 0x7F), count: 7 + all % 3)
      media.append((Sample(track: 2, time: Int64(all) * 4800, content: sound), true))
    }
    if layout == .plain { media.sort { $0.sample.track < $1.sample.track } }
    func movie(_ place: Int) -> [UInt8] {
      var offset = place
      var runs: [UInt32: [[UInt8]]] = [:]
      var last: UInt32 = 0
      for (sample, isKeyframe) in media {
        var entry = Box.bytes(UInt32(sample.track == 1 ? 9000 : 4800))
        entry += Box.bytes(UInt32(sample.content.count))
        entry += Box.bytes(UInt32(isKeyframe ? 0x200_0000 : 0x101_0000)) + Box.bytes(Int32(0))
        if last == sample.track, let index = runs[sample.track]?.indices.last {
          runs[sample.track]?[index] += entry
        } else {
          runs[sample.track, default: []].append(Box.bytes(UInt32(offset)) + entry)
        }
        last = sample.track
        offset += sample.content.count
      }
      let parts = [UInt32(1), 2].flatMap { track -> [UInt8] in
        let start = media.first { $0.sample.track == track }?.sample.time ?? 0
        let flags = Box.bytes(UInt32(1 << 24 | 0xF01))
        var content = Box.make("tfhd", Box.bytes(UInt32(0x02_0000)) + Box.bytes(track))
        content += Box.make("tfdt", Box.bytes(UInt32(1 << 24)) + Box.bytes(UInt64(start)))
        for run in runs[track] ?? [] {
          content += Box.make("trun", flags + Box.bytes(UInt32((run.count - 4) / 16)) + run)
        }
        return Box.make("traf", content)
      }
      let room = layout == .grown ? Box.make("free", [UInt8](repeating: 0, count: 60)) : []
      let number = Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(index + 1)))
      return Box.make("moof", number + parts + room)
    }
    let (start, description) = (bytes.count, movie(movie(0).count + 8))
    bytes += description
    bytes += Box.bytes(UInt32(8 + media.reduce(0) { $0 + $1.sample.content.count }))
    bytes += Array("mdat".utf8)
    let describedUntil = bytes.count
    for (sample, _) in media {
      let place = bytes.count..<bytes.count + sample.content.count
      placed.append(Placed(sample: sample, bytes: place, describedUntil: describedUntil))
      bytes += sample.content
    }
    fragments.append(start..<bytes.count)
  }

  private func index() -> [UInt8] {
    let tracks = [(UInt32(1), Int64(90_000)), (2, 48_000)].flatMap { track, scale in
      let entries = fragments.enumerated().flatMap { index, fragment -> [UInt8] in
        Box.bytes(Int64(index + (index > 1 ? leap : 0)) * scale) + Box.bytes(UInt64(fragment.lowerBound))
          + [UInt8(track), 1, 1]
      }
      let flags = Box.bytes(UInt32(1 << 24)) + Box.bytes(track) + Box.bytes(UInt32(0))
      return Box.make("tfra", flags + Box.bytes(UInt32(fragments.count)) + entries)
    }
    let length = UInt32(8 + tracks.count + 16)
    return Box.make("mfra", tracks + Box.make("mfro", Box.bytes(UInt32(0)) + Box.bytes(length)))
  }

  package static func head() -> [UInt8] {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let picture = Box.make(
      "avc1", zeros(78) + Box.make("avcC", [1, 66, 0, 30, 0xFF, 0xE1, 0, 1, 0x67, 1, 0, 1, 0x68]))
    let sound = Box.make("mp4a", zeros(28))
    func track(_ id: UInt32, _ scale: UInt32, _ handler: String, _ entry: [UInt8]) -> [UInt8] {
      let table = Box.make("stsd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(1)) + entry)
      var media = Box.make("mdhd", zeros(12) + Box.bytes(scale) + zeros(8))
      media += Box.make("hdlr", zeros(8) + Array(handler.utf8) + zeros(13))
      media += Box.make("minf", Box.make("stbl", table))
      let number = Box.make("tkhd", zeros(12) + Box.bytes(id) + zeros(68))
      return Box.make("trak", number + Box.make("mdia", media))
    }
    let extends = [UInt32(1), 2].flatMap { id in
      Box.make("trex", zeros(4) + Box.bytes(id) + Box.bytes(UInt32(1)) + zeros(12))
    }
    var movie = Box.make("mvhd", zeros(100))
    movie += track(1, 90_000, "vide", picture)
    movie += track(2, 48_000, "soun", sound)
    movie += Box.make("mvex", extends)
    return Box.make("ftyp", Array("isom".utf8) + zeros(4)) + Box.make("moov", movie)
  }
}

/// Reads and repairs recordings in memory.
package enum Repaired {
  /// The repaired recording, without an index.
  package static func bytes(of damaged: [UInt8]) throws -> (bytes: [UInt8], inspection: RecordingInspection) {
    try RepairedRecording.bytes(of: RecordingBytes(damaged))
  }

  /// The samples of a recording in which nothing is damaged, in the order of the file; nil for one that is damaged.
  package static func samples(of bytes: [UInt8]) throws -> [SampleFile.Sample]? {
    let source = RecordingBytes(bytes)
    let head = try RecordingHead(source)
    var walk = RecordingWalk(source, tracks: head.tracks, from: head.bytes.count)
    var samples: [(place: Int, sample: SampleFile.Sample)] = []
    while let section = walk.next() {
      switch section {
      case .fragment(let fragment):
        for part in fragment.parts {
          samples += part.samples.map {
            ($0.bytes.lowerBound, .init(track: part.track, time: $0.time, content: Array(bytes[$0.bytes])))
          }
        }
      case .space, .index: break
      case .torn, .damage: return nil
      }
    }
    return samples.sorted { $0.place < $1.place }.map(\.sample)
  }
}
