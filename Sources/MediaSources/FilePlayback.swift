import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

private struct FilePlayback<Reader: FileReader & ~Copyable>: Sendable {
  private let path: String
  private let track: TrackKind
  private let isLooped: Bool
  private let clock: FileClock
  /// How long before its due time a frame is delivered.
  private let advance: MediaTime
  /// Taken by `run`, which is called once.
  private let reader: Locked<Reader?>

  init(
    _ reader: consuming sending Reader, _ path: String, _ track: TrackKind, isLooped: Bool,
    clock: FileClock, advance: MediaTime = .zero
  ) {
    self.path = path
    self.track = track
    self.isLooped = isLooped
    self.clock = clock
    self.advance = advance
    self.reader = Locked(reader)
  }

  /// Calls `step` until `stop` is signalled or it returns false at the end of an unlooped file. The function
  /// passed to `step` waits for a file time and returns its instant; nil when stopped.
  func run(
    until stop: Wakeup, step: (inout Reader, (MediaTime) -> MonotonicTime?) throws(FFmpegError) -> Bool
  ) throws(CaptureError) {
    guard var reader = reader.withLock({ $0.take() }) else { return }
    let start = clock.begin()
    var round = MediaTime.zero
    var end = MediaTime.zero
    do throws(FFmpegError) {
      while true {
        let hasMore = try step(&reader) { time in
          end = max(end, time)
          let due = start + round + time
          return stop.wait(until: due - advance) ? nil : due
        }
        if stop.isSignalled { return }
        if hasMore { continue }
        guard isLooped else { return }
        round = round + (reader.duration ?? end)
        try reader.rewind()
      }
    } catch {
      throw CaptureError(
        .lost, track, device: path, what: "\(error)", hint: "check that ffprobe reads the file to its end")
    }
  }
}

private func openFile<Reader: ~Copyable>(
  _ path: String, _ track: TrackKind, _ open: @autoclosure () throws(FFmpegError) -> Reader
) throws(CaptureError) -> Reader {
  try mapError(open()) { (error: FFmpegError) in
    fileExists(path)
      ? CaptureError(
        .unsuitable, track, device: path, what: "\(error)",
        hint: "use a file with \(track.rawValue) that ffprobe can read")
      : CaptureError(.notFound, track, device: path, what: "there is no such file", hint: "check the path")
  }
}

/// The pictures of a file, decoded in real time.
package final class FilePictures: VideoSource {
  package let format: VideoFormat
  package let pixelFormat = PixelFormat.yuv420p
  package let summary: String
  private let playback: FilePlayback<PictureReader>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try openFile(path, .video, PictureReader(path: path))
    format = reader.format
    summary = "\(path): \(reader.codecName), \(reader.format)"
    playback = FilePlayback(reader, path, .video, isLooped: isLooped, clock: clock)
  }

  package func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
    try playback.run(until: stop) { (reader, wait) throws(FFmpegError) in
      guard let picture = try reader.next() else { return false }
      if let due = wait(picture.time) { deliver(CapturedFrame(picture.takeFrame(), captureTime: due)) }
      return true
    }
  }
}

/// The sound of a file in its coded blocks, in real time. Delivered 50 ms early, so that it arrives with its
/// picture and nothing is lost at the start.
package final class FileSound: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = false
  package let summary: String
  private let playback: FilePlayback<SoundReader>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try openFile(path, .audio, SoundReader(path: path))
    format = reader.format
    summary = "\(path): \(reader.codecName), \(reader.format)"
    playback = FilePlayback(
      reader, path, .audio, isLooped: isLooped, clock: clock, advance: .milliseconds(50))
  }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    try playback.run(until: stop) { (reader, wait) throws(FFmpegError) in
      guard let block = try reader.next() else { return false }
      if let due = wait(block.time) {
        deliver(AudioBlock(format: format, captureTime: due, samples: block.samples))
      }
      return true
    }
  }
}

package final class FilePackets: PacketSource {
  package let track: Track
  package let summary: String
  private let playback: FilePlayback<PacketReader>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try openFile(path, .video, PacketReader(path: path, kind: .video))
    track = reader.track
    summary = "\(path): \(reader.track.codec.name), not re-encoded"
    playback = FilePlayback(reader, path, .video, isLooped: isLooped, clock: clock)
  }

  package func run(until stop: Wakeup, deliver: (SourcePacket) -> Void) throws(CaptureError) {
    try playback.run(until: stop) { (reader, wait) throws(FFmpegError) in
      guard var packet = try reader.next() else { return false }
      guard let due = wait(packet.presentationTime) else { return true }
      let shift = MediaTime(nanoseconds: due.nanoseconds) - packet.presentationTime
      packet.presentationTime = packet.presentationTime + shift
      packet.decodeTime = packet.decodeTime + shift
      deliver(SourcePacket(packet, track))
      return true
    }
  }
}
