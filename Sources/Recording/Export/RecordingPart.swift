internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A file of a recording that is to be exported: its tracks, and where its fragments lie.
final class RecordingPart: Sendable {
  let path: String
  /// As FFmpeg reads them from the head.
  let tracks: [TrackKind: Track]
  let recorded: [TrackKind: RecordedTrack]
  /// All, in the order of the head.
  private let all: [RecordedTrack]
  private let fragments: [Place]
  private let file: FileDescriptor
  private let last: Description
  let damages: Int
  let isTorn: Bool

  /// Where a fragment lies.
  private struct Place: Sendable {
    let offset: Int
    let length: Int
    /// What came right before it is lost.
    let isBehindDamage: Bool
  }

  init(path: String) throws(ExportError) {
    let found = try Self.scan(path)
    guard let last = found.last, !found.recorded.isEmpty else {
      throw ExportError(unusable: path, "there is no picture and no sound in it")
    }
    tracks = try Self.tracks(of: path, found.recorded.keys.sorted { $0 == .video && $1 == .audio })
    self.path = path
    recorded = found.recorded
    all = found.tracks
    fragments = found.fragments
    self.last = last
    damages = found.damages
    isTorn = found.isTorn
    do throws(SystemError) {
      file = try FileDescriptor.openForReading(path)
    } catch {
      throw ExportError(reading: path, error)
    }
  }

  private struct Scanned {
    var recorded: [TrackKind: RecordedTrack] = [:]
    var tracks: [RecordedTrack] = []
    var fragments: [Place] = []
    var last: Description?
    var damages = 0
    var isTorn = false
  }

  private static func scan(_ path: String) throws(ExportError) -> Scanned {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.openForReading(path)
    } catch {
      throw ExportError(reading: path, error)
    }
    do throws(FragmentedFileError) {
      return try scan(file)
    } catch {
      throw ExportError(unusable: path, "\(error)")
    }
  }

  private static func scan(_ file: borrowing FileDescriptor) throws(FragmentedFileError) -> Scanned {
    var scanned = Scanned()
    var last: UInt32?
    let known = try FragmentedFile(file) { (fragment) throws(FragmentedFileError) in
      let follows = last.map { fragment.sequenceNumber == $0 &+ 1 } ?? true
      scanned.fragments.append(
        Place(offset: fragment.offset, length: fragment.length, isBehindDamage: !follows))
      last = fragment.sequenceNumber
    }
    scanned.tracks = known.tracks
    let pairs = known.tracks.compactMap { track in track.kind.map { ($0, track) } }
    scanned.recorded = Dictionary(pairs) { first, _ in first }
    scanned.damages = known.damages
    scanned.isTorn = known.tail == .torn
    if let last = scanned.fragments.last {
      scanned.last = try lastDescription(last, known.tracks, in: file)
    }
    return scanned
  }

  private static func tracks(of path: String, _ kinds: [TrackKind]) throws(ExportError) -> [TrackKind: Track]
  {
    var tracks: [TrackKind: Track] = [:]
    for kind in kinds {
      do throws(FFmpegError) {
        tracks[kind] = try PacketReader.track(of: path, kind: kind)
      } catch {
        throw ExportError(unusable: path, "\(error)")
      }
    }
    return tracks
  }

  var fragmentCount: Int { fragments.count }

  /// The samples of a track in fragment `index`, and whether what came before them is lost.
  func samples(of track: RecordedTrack, inFragment index: Int) throws -> (
    [MovieFragment.Sample], isBehindDamage: Bool
  ) {
    let place = fragments[index]
    let described = index == fragments.count - 1 ? last : try Self.description(of: place, all, in: file)
    return (try described.samples(of: track), place.isBehindDamage)
  }

  /// A fragment's `moof` box, without its head, and where its samples have to end.
  private struct Description: Sendable {
    let movie: BoxBytes
    /// Where the `moof` box lies.
    let place: Range<Int>
    let end: Int
    let tracks: [RecordedTrack]

    func samples(of track: RecordedTrack) throws(FragmentedFileError) -> [MovieFragment.Sample] {
      let fragment = try MovieFragment(
        movie, contentOffset: place.upperBound - movie.count, movie: place, tracks: tracks)
      let samples = fragment.parts.filter { $0.track == track.id }.flatMap(\.samples)
      guard samples.allSatisfy({ $0.bytes.lowerBound >= place.lowerBound && $0.bytes.upperBound <= end })
      else {
        throw .damaged("a fragment's samples are not in it")
      }
      return samples
    }
  }

  private static func description(
    of place: Place, _ tracks: [RecordedTrack], in file: borrowing FileDescriptor
  ) throws -> Description {
    var start = BoxBytes(try file.bytes(BoxHead.most, at: place.offset)[...])
    let head = try BoxHead(&start)
    guard let length = head.length, length <= place.length else {
      throw FragmentedFileError.damaged("it has changed meanwhile")
    }
    let movie = try file.bytes(length, at: place.offset)
    guard movie.count == length else { throw FragmentedFileError.damaged("it has become shorter") }
    return Description(
      movie: BoxBytes(movie.dropFirst(head.size)), place: place.offset..<place.offset + length,
      end: place.offset + place.length, tracks: tracks)
  }

  /// The last fragment may be growing: it is read once, and as often as it takes to see it whole.
  private static func lastDescription(
    _ place: Place, _ tracks: [RecordedTrack], in file: borrowing FileDescriptor
  ) throws(FragmentedFileError) -> Description {
    var tries = 0
    while true {
      do {
        let found = try description(of: place, tracks, in: file)
        let grown = Description(
          movie: found.movie, place: found.place, end: try file.size(), tracks: tracks)
        for track in tracks { _ = try grown.samples(of: track) }
        return grown
      } catch {
        tries += 1
        if tries == 10 { throw .damaged("its last fragment can't be read") }
      }
    }
  }

  func bytes(of sample: MovieFragment.Sample) throws -> [UInt8] {
    let bytes = try file.bytes(sample.bytes.count, at: sample.bytes.lowerBound)
    guard bytes.count == sample.bytes.count else {
      throw FragmentedFileError.damaged("it has become shorter")
    }
    return bytes
  }
}

/// Gives the samples of one track of a part, one after another.
struct SampleCursor {
  private let part: RecordingPart
  private let track: RecordedTrack
  private var nextFragment = 0
  private var waiting: ArraySlice<MovieFragment.Sample> = []
  /// Pictures without those that they build upon show nothing.
  private var needsKeyframe = false

  init(_ part: RecordingPart, _ track: RecordedTrack) {
    self.part = part
    self.track = track
    needsKeyframe = track.kind == .video
  }

  /// Nil at the end.
  mutating func next() throws -> MovieFragment.Sample? {
    while true {
      while let sample = waiting.popFirst() {
        if needsKeyframe, !sample.isKeyframe { continue }
        needsKeyframe = false
        return sample
      }
      guard nextFragment < part.fragmentCount else { return nil }
      let (samples, isBehindDamage) = try part.samples(of: track, inFragment: nextFragment)
      nextFragment += 1
      waiting = samples[...]
      if isBehindDamage, track.kind == .video { needsKeyframe = true }
    }
  }
}
