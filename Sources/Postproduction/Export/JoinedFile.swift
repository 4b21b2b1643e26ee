import HoldfastFFmpeg
import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// The packets of one track of a new file.
protocol JoinedTrack {
  /// The last packet, whose duration depends on the next one.
  var pending: MediaPacket? { get set }
  /// A packet lasts until the next one, also across a hole.
  static var closesHoles: Bool { get }
  /// The packets as they follow each other in the recordings; nil at the end.
  mutating func following() throws -> MediaPacket?
}

extension JoinedTrack {
  /// Nil at the end. Decode times strictly increase.
  mutating func next() throws -> MediaPacket? {
    while let packet = try following() {
      guard var before = pending else {
        pending = packet
        continue
      }
      // At the end of a file or piece, the last packet may reach over the beginning of the next: that would be twice there.
      guard packet.decodeTime > before.decodeTime else { continue }
      let distance = packet.decodeTime - before.decodeTime
      let isOpen = Self.closesHoles || before.duration <= .zero
      before.duration = isOpen ? distance : min(before.duration, distance)
      pending = packet
      return before
    }
    return pending.take()
  }
}

/// A new file from the tracks of recordings, without re-encoding: a temporary one, renamed when it is complete.
struct JoinedFile {
  let name: String
  /// What is named where a recording turns out to be unusable.
  let source: String
  let isCancelled: @Sendable () -> Bool

  /// `body` writes the file at its temporary path and returns its duration; `complete` runs when nothing can be
  /// cancelled any more, before the file has its name.
  func write(
    _ body: (_ path: String) throws -> MediaTime, complete: (MediaTime) throws -> Void = { _ in }
  ) throws(RecordingFileError) -> (duration: MediaTime, bytes: Int) {
    do {
      var file = try UnfinishedFile(name: name)
      let end = try body(file.descriptorPath)
      let bytes = try file.file.size()
      if isCancelled() { throw RecordingFileError.stopped(name) }
      try complete(end)
      try file.finish()
      return (end, bytes)
    } catch let error as RecordingFileError {
      throw error
    } catch let error as FragmentedFileError {
      throw RecordingFileError(unusable: source, "\(error)")
    } catch {
      throw RecordingFileError(writing: name, error)
    }
  }

  /// Interleaves the tracks by decode time; returns where the last packet ends. `progress` receives the time written so
  /// far.
  func copy(
    _ tracks: [some JoinedTrack], to muxer: inout FileMuxer, _ progress: (MediaTime) -> Void
  ) throws -> MediaTime {
    var tracks = tracks
    var heads: [MediaPacket?] = []
    for index in tracks.indices { heads.append(try tracks[index].next()) }
    var end = MediaTime.zero
    while true {
      let waiting = heads.indices.compactMap { index in heads[index].map { (index, $0.decodeTime) } }
      guard let (index, _) = waiting.min(by: { $0.1 < $1.1 }), let packet = heads[index] else { return end }
      if isCancelled() { throw RecordingFileError.stopped(name) }
      try muxer.write(packet, track: index)
      end = max(end, packet.presentationTime + packet.duration)
      progress(end)
      heads[index] = try tracks[index].next()
    }
  }
}

/// Writes a whole text; never over a file that is there.
func writeNewFile(_ path: String, _ text: String) throws(RecordingFileError) {
  do {
    var file = try UnfinishedFile(name: path)
    try file.file.write(Array(text.utf8), at: 0)
    try file.finish()
  } catch {
    throw RecordingFileError(writing: path, error)
  }
}
