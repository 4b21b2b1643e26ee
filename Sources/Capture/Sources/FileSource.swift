internal import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// The instant at which the files of a broadcast begin, so that picture and sound of one file stay together.
package final class FileClock: Sendable {
  private let start = Locked<MonotonicTime?>(nil)

  /// Long enough for both tracks to be ready when the first frame is due.
  private static let lead = MediaTime.milliseconds(200)

  package init() {}

  package var hasBegun: Bool { start.withLock { $0 != nil } }

  /// For how long the files have been going; 0 before they begin.
  package func age(at now: MonotonicTime) -> MediaTime {
    max(.zero, now - (start.withLock { $0 } ?? now))
  }

  /// When the files begin. The first to ask decides.
  func begin() -> MonotonicTime {
    let soon = MonotonicTime.now + Self.lead
    return start.withLock { start in
      let begin = start ?? soon
      start = begin
      return begin
    }
  }
}

/// What the three kinds of file source share: waiting until a frame is due, beginning again, telling what failed.
private struct FilePlayback {
  let path: String
  let track: TrackKind
  let isLooped: Bool
  let clock: FileClock
  /// So long before it is due a frame is handed on.
  var advance = MediaTime.zero

  /// Calls `step` until it has no more (then `rewind`, where the file is looped) or `stop` is signalled. `step` is given
  /// a function that answers the instant at which a place in the file is due, and waits for it; nil when stopped.
  func run(
    until stop: Wakeup, duration: MediaTime?,
    step: ((MediaTime) -> MonotonicTime?) throws(FFmpegError) -> Bool,
    rewind: () throws(FFmpegError) -> Void
  ) throws(CaptureError) {
    let start = clock.begin()
    var round = MediaTime.zero
    var end = MediaTime.zero
    do {
      while true {
        let more = try step { time in
          end = max(end, time)
          let due = start + round + time
          return stop.wait(until: due - advance) ? nil : due
        }
        if stop.isSignalled { return }
        if more { continue }
        guard isLooped else { return }
        round = round + (duration ?? end)
        try rewind()
      }
    } catch {
      throw Self.failed(path, track, error)
    }
  }

  static func failed(_ path: String, _ track: TrackKind, _ error: FFmpegError) -> CaptureError {
    CaptureError(
      .lost, track, device: path, what: "\(error)", hint: "check that ffprobe reads the file to its end")
  }

  static func open<Reader: ~Copyable>(
    _ path: String, _ track: TrackKind, _ open: (String) throws(FFmpegError) -> Reader
  ) throws(CaptureError) -> Reader {
    do {
      return try open(path)
    } catch {
      let isMissing = !fileExists(path)
      throw CaptureError(
        isMissing ? .notFound : .unsuitable, track, device: path,
        what: isMissing ? "there is no such file" : "\(error)",
        hint: isMissing ? "check the path" : "give a file that has \(track.rawValue) and that ffprobe reads")
    }
  }
}

/// The pictures of a file, in real time.
package final class FilePictures: VideoSource {
  package let format: VideoFormat
  package let pixelFormat = PixelFormat.yuv420p
  package let summary: String
  private let playback: FilePlayback
  /// Until it is run, which is once.
  private let reader: Locked<PictureReader?>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try FilePlayback.open(path, .video) { (path) throws(FFmpegError) in
      try PictureReader(path: path)
    }
    format = reader.format
    summary = "\(path): \(reader.codecName), \(reader.format)"
    playback = FilePlayback(path: path, track: .video, isLooped: isLooped, clock: clock)
    self.reader = Locked(reader)
  }

  package func run(
    until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void
  ) throws(CaptureError) {
    guard var reader = reader.withLock({ $0.take() }) else { return }
    try playback.run(until: stop, duration: reader.duration) { (wait) throws(FFmpegError) in
      guard let picture = try reader.next() else { return false }
      if let due = wait(picture.time) { deliver(CapturedFrame(picture.takeFrame(), captureTime: due)) }
      return true
    } rewind: { () throws(FFmpegError) in
      try reader.rewind()
    }
  }
}

/// The sound of a file, in real time, in the blocks in which it was encoded.
///
/// It comes a little ahead of its time, so that it is there when the picture that belongs to it comes: nothing of a file
/// is left out at its beginning.
package final class FileSound: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = false
  package let summary: String
  private let playback: FilePlayback
  /// Until it is run, which is once.
  private let reader: Locked<SoundReader?>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try FilePlayback.open(path, .audio) { (path) throws(FFmpegError) in
      try SoundReader(path: path)
    }
    format = reader.format
    summary = "\(path): \(reader.codecName), \(reader.format)"
    playback = FilePlayback(
      path: path, track: .audio, isLooped: isLooped, clock: clock, advance: .milliseconds(50))
    self.reader = Locked(reader)
  }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    let format = format
    guard var reader = reader.withLock({ $0.take() }) else { return }
    try playback.run(until: stop, duration: reader.duration) { (wait) throws(FFmpegError) in
      guard let block = try reader.next() else { return false }
      if let due = wait(block.time) {
        deliver(AudioBlock(format: format, captureTime: due, samples: block.samples))
      }
      return true
    } rewind: { () throws(FFmpegError) in
      try reader.rewind()
    }
  }
}

/// The packets of a file's video track, in real time and untouched.
package final class FilePackets: PacketSource {
  package let track: Track
  package let summary: String
  private let playback: FilePlayback
  /// Until it is run, which is once.
  private let reader: Locked<PacketReader?>

  package init(path: String, isLooped: Bool, clock: FileClock) throws(CaptureError) {
    let reader = try FilePlayback.open(path, .video) { (path) throws(FFmpegError) in
      try PacketReader(path: path, kind: .video)
    }
    track = reader.track
    summary = "\(path): \(reader.track.codec.name), as it is"
    playback = FilePlayback(path: path, track: .video, isLooped: isLooped, clock: clock)
    self.reader = Locked(reader)
  }

  package func run(until stop: Wakeup, deliver: (MediaPacket, _ lostBefore: Int) -> Void)
    throws(CaptureError)
  {
    guard var reader = reader.withLock({ $0.take() }) else { return }
    try playback.run(until: stop, duration: reader.duration) { (wait) throws(FFmpegError) in
      guard var packet = try reader.next() else { return false }
      guard let due = wait(packet.presentationTime) else { return true }
      let shift = MediaTime(nanoseconds: due.nanoseconds) - packet.presentationTime
      packet.presentationTime = packet.presentationTime + shift
      packet.decodeTime = packet.decodeTime + shift
      deliver(packet, 0)
      return true
    } rewind: { () throws(FFmpegError) in
      try reader.rewind()
    }
  }
}
