import HoldfastLive
import HoldfastMediaModel

/// One encode of the pictures for a rendition of the live stream.
struct LiveEncode: Hashable, Sendable {
  let rendition: RenditionID
  /// Counts the encodes of a process.
  let number: Int
}

/// A rendition of the current broadcast, with the sound.
struct LiveChannel: Sendable {
  /// The encode whose pictures are taken; nil while there is none.
  private(set) var encode: LiveEncode?
  private var tracks: [TrackKind: Track] = [:]
  private(set) var run: LiveRun?
  /// The decode time of the packet that woke the viewers last.
  private var woken: MediaTime?

  /// Sound wakes the viewers less often than it comes: pictures do, too.
  private static let soundWait = MediaTime.milliseconds(50)

  /// The pictures of an earlier encode are ignored from now on.
  mutating func begin(_ encode: LiveEncode) {
    end()
    self.encode = encode
  }

  mutating func end() { (encode, tracks[.video], run) = (nil, nil, nil) }

  /// Returns all tracks if they are `expected` and have changed.
  mutating func announce(_ track: Track, expected: Set<TrackKind>) -> [Track]? {
    guard tracks[track.kind] != track else { return nil }
    tracks[track.kind] = track
    return expected.isSubset(of: tracks.keys) ? Array(tracks.values) : nil
  }

  /// Another description of a track begins another run. False if that is outdated.
  mutating func begin(_ run: LiveRun, of tracks: [Track]) -> Bool {
    guard Set(self.tracks.values) == Set(tracks) else { return false }
    (self.run, woken) = (run, nil)
    return true
  }

  /// Returns whether viewers are to be woken for it.
  mutating func add(_ packet: MediaPacket) -> Bool {
    guard run != nil else { return false }
    run?.add(packet)
    let isDue = woken.map { packet.decodeTime - $0 >= Self.soundWait } ?? true
    return packet.track == .video || isDue
  }

  mutating func wake(at time: MediaTime) { woken = time }

  mutating func keep(_ fragment: [UInt8], of packet: Int, run number: Int) {
    if run?.number == number { run?.window.keep(fragment, of: packet) }
  }
}
