import HoldfastFFmpeg
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// A file of a recording to be exported.
final class RecordingPart: Sendable {
  let path: String
  let tracks: [TrackKind: Track]
  let recorded: [TrackKind: RecordedTrack]
  private let fragments: [FragmentEntry]
  private let last: Fragment
  private let source: RecordingBytes
  private let known: FragmentedFile
  /// The largest picture that is filled in.
  let maxPixels: Int

  var damages: Int { known.damages }
  var isTorn: Bool { known.tail == .torn }

  private struct FragmentEntry: Sendable {
    let offset: Int
    /// A fragment right before it is missing.
    let isAfterDamage: Bool
  }

  init(path: String) throws(RecordingFileError) {
    let place = try mapError(FilePlace(path, followsLink: true)) { (error: SystemError) in
      RecordingFileError(reading: path, error)
    }
    let scanned = try Self.open(place)
    scanned.expectScatteredReads()
    // A second descriptor for the copy, which reads sequentially.
    let file = try Self.open(place)
    var fragments: [FragmentEntry] = []
    let known: FragmentedFile
    let last: (RecordingBytes, Fragment)?
    do throws(FragmentedFileError) {
      var number: UInt32?
      known = try FragmentedFile(try RecordingBytes(scanned)) { fragment in
        let follows = number.map { fragment.number == $0 &+ 1 } ?? true
        fragments.append(FragmentEntry(offset: fragment.range.lowerBound, isAfterDamage: !follows))
        number = fragment.number
      }
      last = try fragments.last.map { (entry) throws(FragmentedFileError) in
        try Self.lastFragment(at: entry.offset, known.tracks, of: file)
      }
    } catch {
      throw RecordingFileError(unusable: path, "\(error)")
    }
    let pairs = known.tracks.compactMap { track in track.kind.map { ($0, track) } }
    guard let last, !pairs.isEmpty else {
      throw RecordingFileError(unusable: path, "it contains neither picture nor sound")
    }
    (source, self.last) = last
    recorded = Dictionary(pairs) { first, _ in first }
    self.known = known
    self.fragments = fragments
    self.path = path
    do throws(FragmentedFileError) {
      let media = try CheckedMedia(path: path, last.0, until: known.wholeLength)
      maxPixels = media.maxPixels
      tracks = try Self.tracks(of: media, recorded.keys.sorted { $0 == .video && $1 == .audio })
    } catch {
      throw RecordingFileError(unusable: path, "\(error)")
    }
  }

  private static func open(_ place: borrowing FilePlace) throws(RecordingFileError) -> FileDescriptor {
    try mapError(FileDescriptor.openForReading(place)) { (error: SystemError) in
      RecordingFileError(reading: place.path, error)
    }
  }

  /// Retries, as the last fragment may be growing.
  private static func lastFragment(
    at offset: Int, _ tracks: [RecordedTrack], of file: borrowing FileDescriptor
  ) throws(FragmentedFileError) -> (RecordingBytes, Fragment) {
    for _ in 0..<10 {
      let source = try RecordingBytes(file)
      if let fragment = FragmentReader(source, tracks: tracks).fragment(at: offset) {
        return (source, fragment)
      }
    }
    throw .damaged("its last fragment is unreadable")
  }

  private static func tracks(
    of media: CheckedMedia, _ kinds: [TrackKind]
  ) throws(FragmentedFileError) -> [TrackKind: Track] {
    var tracks: [TrackKind: Track] = [:]
    for kind in kinds {
      let stream = try media.stream()
      do throws(FFmpegError) {
        tracks[kind] = try PacketReader.track(of: stream, from: media.path, kind: kind)
      } catch {
        throw .unreadable("\(error)")
      }
    }
    return tracks
  }

  var fragmentCount: Int { fragments.count }

  /// The samples of a track in fragment `index`, and whether a fragment before it is missing.
  func samples(of track: RecordedTrack, inFragment index: Int) throws(FragmentedFileError) -> (
    [Fragment.Sample], isAfterDamage: Bool
  ) {
    let entry = fragments[index]
    let isLast = index == fragments.count - 1
    let found = isLast ? last : FragmentReader(source, tracks: known.tracks).fragment(at: entry.offset)
    guard let found else { throw .damaged("it changed in the meantime") }
    return (found.parts.first { $0.track == track.id }?.samples ?? [], entry.isAfterDamage)
  }

  func bytes(of sample: Fragment.Sample) throws(FragmentedFileError) -> [UInt8] {
    try source.all(sample.bytes)
  }
}

/// A sample of a part; times are those in the part.
struct PartSample {
  /// Index of the part.
  let part: Int
  let sample: Fragment.Sample
  fileprivate let track: RecordedTrack

  var time: MediaTime { track.time(sample.time) }
  var delay: MediaTime { track.time(sample.delay) }
  var duration: MediaTime { track.time(sample.duration) }
}

/// Iterates over the samples of one track of parts that follow each other.
struct SampleCursor {
  private let parts: [RecordingPart]
  private let kind: TrackKind
  private var part = 0
  private var nextFragment = 0
  private var waiting: ArraySlice<Fragment.Sample> = []
  /// Video is not decodable before the next keyframe.
  private var needsKeyframe: Bool

  init(_ parts: [RecordingPart], _ kind: TrackKind) {
    self.parts = parts
    self.kind = kind
    needsKeyframe = kind == .video
  }

  /// Nil at the end, and before a part without the track.
  mutating func next() throws -> PartSample? {
    while part < parts.count, let track = parts[part].recorded[kind] {
      while let sample = waiting.popFirst() {
        if needsKeyframe, !sample.isKeyframe { continue }
        needsKeyframe = false
        return PartSample(part: part, sample: sample, track: track)
      }
      guard nextFragment < parts[part].fragmentCount else {
        part += 1
        (nextFragment, needsKeyframe) = (0, kind == .video)
        continue
      }
      let (samples, isAfterDamage) = try parts[part].samples(of: track, inFragment: nextFragment)
      nextFragment += 1
      waiting = samples[...]
      if isAfterDamage, kind == .video { needsKeyframe = true }
    }
    return nil
  }

  /// Whether what is `shown` at a time belongs behind `cut`: sound across it, to the side of its larger half.
  func isBehind(_ cut: MediaTime, _ shown: MediaTime, usual: MediaTime) -> Bool {
    let part: Int64 = kind == .video ? 4 : 2
    return shown.nanoseconds + usual.nanoseconds / part >= cut.nanoseconds
  }

  /// The packet of `found` in a file in which it is decoded at `time`.
  func packet(of found: PartSample, at time: MediaTime) throws -> MediaPacket {
    MediaPacket(
      track: kind, decodeTime: time, presentationTime: time + found.delay, duration: found.duration,
      isKeyframe: found.sample.isKeyframe, bytes: try parts[found.part].bytes(of: found.sample))
  }
}
