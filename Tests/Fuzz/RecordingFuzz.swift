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

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static let head: [UInt8] = {
    let settings = Box.make("avcC", [1, 66, 0, 30, 0xFF, 0xE1, 0, 1, 0x67, 1, 0, 1, 0x68])
    let video = track(1, 90_000, "vide", Box.make("avc1", zeros(78) + settings))
    let audio = track(2, 48_000, "soun", Box.make("mp4a", zeros(28)))
    var extends: [UInt8] = []
    for id in [UInt32(1), 2] {
      extends += Box.make("trex", zeros(4) + Box.bytes(id) + Box.bytes(UInt32(1)) + zeros(12))
    }
    return Box.make("ftyp", Array("isom".utf8)) + Box.make("moov", video + audio + Box.make("mvex", extends))
  }()

  private static func track(_ id: UInt32, _ scale: UInt32, _ handler: String, _ entry: [UInt8]) -> [UInt8] {
    let table = Box.make("stsd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(1)) + entry)
    var media = Box.make("mdhd", zeros(12) + Box.bytes(scale) + zeros(8))
    media += Box.make("hdlr", zeros(8) + Array(handler.utf8) + zeros(12))
    media += Box.make("minf", Box.make("stbl", table))
    return Box.make("trak", Box.make("tkhd", zeros(12) + Box.bytes(id) + zeros(4)) + Box.make("mdia", media))
  }

  /// A fragment of alternating pictures and sounds, `pictures` of each.
  private static func fragment(_ index: Int, pictures: Int) -> [UInt8] {
    let picture: [UInt8] = Box.bytes(UInt32(3)) + [0x65, 1, 2]
    let sound: [UInt8] = [9, 8, 7, 6]
    func movie(_ place: Int) -> [UInt8] {
      var parts: [UInt8] = []
      for (track, duration, size, first) in [
        (UInt32(1), 3000, picture.count, 0), (2, 1024, sound.count, picture.count),
      ] {
        var content = Box.make("tfhd", Box.bytes(UInt32(0x02_0000)) + Box.bytes(track))
        content += Box.make("tfdt", Box.bytes(UInt32(0)) + Box.bytes(UInt32(index * pictures * duration)))
        for sample in 0..<pictures {
          let offset = place + first + sample * (picture.count + sound.count)
          let run = Box.bytes(UInt32(0x301)) + Box.bytes(UInt32(1)) + Box.bytes(UInt32(offset))
          content += Box.make("trun", run + Box.bytes(UInt32(duration)) + Box.bytes(UInt32(size)))
        }
        parts += Box.make("traf", content)
      }
      return Box.make("moof", Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(UInt32(index + 1))) + parts)
    }
    let media = (0..<pictures).flatMap { _ in picture + sound }
    return movie(movie(0).count + 8) + Box.make("mdat", media)
  }

  private static let seeds: [[UInt8]] = {
    let two = fragment(0, pictures: 1) + fragment(1, pictures: 1)
    let one = fragment(0, pictures: 3)
    let room = Box.make("free", zeros(12))
    let index = Box.make("mfra", Box.make("mfro", Box.bytes(UInt32(0)) + Box.bytes(UInt32(24))))
    let segments = Box.make("sidx", zeros(4) + Box.bytes(UInt32(1)) + Box.bytes(UInt32(90_000)) + zeros(12))
    let behind: [[UInt8]] = [
      [], one, two, two + index, room + two, segments + two, one + room + fragment(1, pictures: 3),
      Array(two.dropLast(5)), Array(one.dropFirst(30)) + fragment(1, pictures: 1),
      two + Box.make("mdat", zeros(9)) + fragment(2, pictures: 1), one + zeros(40),
    ]
    return behind.map { [0] + $0 } + [[1] + head]
  }()
}
