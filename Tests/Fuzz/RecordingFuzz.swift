import HoldfastMP4
import HoldfastMediaModel

/// A damaged recording. It has a whole header if the first byte is even, so that the search need not
/// discover one.
enum RecordingFuzz {
  static let target = FuzzTarget(name: "Recording", seeds: { seeds }, run: run)

  @Sendable private static func run(_ bytes: borrowing Span<UInt8>) {
    guard bytes.count > 1 else { return }
    let rest = bytes.extracting(1..<bytes.count).withUnsafeBufferPointer { Array($0) }
    let source = RecordingBytes(bytes[0] & 1 == 0 ? head + rest : rest)
    compareReaders(source)
    guard let found = try? RecordingInspection(source),
      let repaired = try? RepairedRecording.bytes(of: source).bytes
    else { return }
    // The new description of a sample takes less than four times the space of the old one.
    require(repaired.count <= 8 * source.size + 4096, "\(source.size) bytes became \(repaired.count)")
    guard let again = try? RecordingInspection(RecordingBytes(repaired)) else {
      return require(false, "no head")
    }
    // Invented times may remain inconsistent; everything else is repaired.
    let damages = again.damages.filter { $0.kind != .inconsistent }
    require(damages.isEmpty, "repaired, and damaged still: \(damages)")
    if again.damages.isEmpty {
      require(
        again.keptSamples == found.keptSamples, "\(found.keptSamples) samples became \(again.keptSamples)")
    }
    require(again.tracks.allSatisfy { $0.stepsBack == 0 }, "times go back")
  }

  /// A check, which tolerates damage, finds each fragment that recovery considers whole, with the same
  /// samples,
  /// and a repair keeps only samples within the file.
  private static func compareReaders(_ source: RecordingBytes) {
    guard let head = try? RecordingHead(source) else { return }
    _ = try? FragmentedFile(source) { strict in
      var walk = RecordingWalk(source, tracks: head.tracks, from: strict.range.lowerBound)
      switch walk.next() {
      case .fragment(let lenient), .torn(let lenient, .mislabelled):
        require(lenient.parts == strict.parts && lenient.number == strict.number, "two readings")
      case .torn(_, .cut), .space, .index, .damage, nil:
        require(false, "a whole fragment at \(strict.range) that is none")
      }
    }
    _ = RecordingInspection(source, head: head) { (kept) throws(Never) in
      for sample in kept.fragment.parts.indices.flatMap(kept.samples) {
        require(
          0 <= sample.bytes.lowerBound && sample.bytes.upperBound <= source.size,
          "a sample at \(sample.bytes) of \(source.size) bytes")
      }
    }
  }

  // MARK: - Seeds

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(8 + content.count)) + Array(name.utf8) + content
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static let head: [UInt8] = {
    let settings = box("avcC", [1, 66, 0, 30, 0xFF, 0xE1, 0, 1, 0x67, 1, 0, 1, 0x68])
    let video = track(1, 90_000, "vide", box("avc1", zeros(78) + settings))
    let audio = track(2, 48_000, "soun", box("mp4a", zeros(28)))
    var extends: [UInt8] = []
    for id in [UInt32(1), 2] { extends += box("trex", zeros(4) + number(id) + number(UInt32(1)) + zeros(12)) }
    return box("ftyp", Array("isom".utf8)) + box("moov", video + audio + box("mvex", extends))
  }()

  private static func track(_ id: UInt32, _ scale: UInt32, _ handler: String, _ entry: [UInt8]) -> [UInt8] {
    let table = box("stsd", number(UInt32(0)) + number(UInt32(1)) + entry)
    var media = box("mdhd", zeros(12) + number(scale) + zeros(8))
    media += box("hdlr", zeros(8) + Array(handler.utf8) + zeros(12))
    media += box("minf", box("stbl", table))
    return box("trak", box("tkhd", zeros(12) + number(id) + zeros(4)) + box("mdia", media))
  }

  /// A fragment of alternating pictures and sounds, `pictures` of each.
  private static func fragment(_ index: Int, pictures: Int) -> [UInt8] {
    let picture: [UInt8] = number(UInt32(3)) + [0x65, 1, 2]
    let sound: [UInt8] = [9, 8, 7, 6]
    func movie(_ place: Int) -> [UInt8] {
      var parts: [UInt8] = []
      for (track, duration, size, first) in [
        (UInt32(1), 3000, picture.count, 0), (2, 1024, sound.count, picture.count),
      ] {
        var content = box("tfhd", number(UInt32(0x02_0000)) + number(track))
        content += box("tfdt", number(UInt32(0)) + number(UInt32(index * pictures * duration)))
        for sample in 0..<pictures {
          let offset = place + first + sample * (picture.count + sound.count)
          let run = number(UInt32(0x301)) + number(UInt32(1)) + number(UInt32(offset))
          content += box("trun", run + number(UInt32(duration)) + number(UInt32(size)))
        }
        parts += box("traf", content)
      }
      return box("moof", box("mfhd", number(UInt32(0)) + number(UInt32(index + 1))) + parts)
    }
    let media = (0..<pictures).flatMap { _ in picture + sound }
    return movie(movie(0).count + 8) + box("mdat", media)
  }

  private static let seeds: [[UInt8]] = {
    let two = fragment(0, pictures: 1) + fragment(1, pictures: 1)
    let one = fragment(0, pictures: 3)
    let room = box("free", zeros(12))
    let index = box("mfra", box("mfro", number(UInt32(0)) + number(UInt32(24))))
    let segments = box("sidx", zeros(4) + number(UInt32(1)) + number(UInt32(90_000)) + zeros(12))
    let behind: [[UInt8]] = [
      [], one, two, two + index, room + two, segments + two, one + room + fragment(1, pictures: 3),
      Array(two.dropLast(5)), Array(one.dropFirst(30)) + fragment(1, pictures: 1),
      two + box("mdat", zeros(9)) + fragment(2, pictures: 1), one + zeros(40),
    ]
    return behind.map { [0] + $0 } + [[1] + head]
  }()
}
