import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Decodes one track of a file.
struct TrackReader: ~Copyable {
  let demuxer: Demuxer
  private let decoder: Decoder
  /// The next frame's time in a file without times, such as a raw stream.
  private var nextTime = MediaTime.zero

  init(_ demuxer: consuming Demuxer) throws(FFmpegError) {
    let parameters = demuxer.stream.pointee.codecpar
    let id = parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    let maxPixels = demuxer.maxPixels
    decoder = try Decoder(id, parameters: parameters) { context in
      context.pointee.thread_count = 2
      if let maxPixels { context.pointee.max_pixels = Int64(maxPixels) }
    }
    self.demuxer = demuxer
  }

  func next() throws(FFmpegError) -> Frame? {
    let frame = try Frame()
    while true {
      switch try decoder.receive(into: frame) {
      case .frame: return frame
      case .ended: return nil
      case .needsPacket: try decoder.send(try demuxer.readPacket() ? demuxer.packet : nil)
      }
    }
  }

  /// The time of the last frame read.
  mutating func time(of frame: borrowing Frame, lasting duration: MediaTime) -> MediaTime {
    let time = demuxer.time(frame.raw.pointee.best_effort_timestamp) ?? nextTime
    nextTime = time + duration
    return time
  }

  mutating func rewind() throws(FFmpegError) {
    try demuxer.rewind()
    decoder.flush()
    nextTime = .zero
  }
}

package protocol FileReader: ~Copyable {
  var duration: MediaTime? { get }
  mutating func rewind() throws(FFmpegError)
}

package struct DecodedPicture: ~Copyable, Sendable {
  package let frame: Frame
  package let time: MediaTime

  package consuming func takeFrame() -> Frame { frame }
}

package struct PictureReader: FileReader, ~Copyable {
  private var reader: TrackReader

  package init(path: String) throws(FFmpegError) {
    reader = try TrackReader(Demuxer(path: path, kind: .video))
  }

  package init(_ stream: MediaStream, of path: String) throws(FFmpegError) {
    reader = try TrackReader(Demuxer(stream, of: path, kind: .video))
  }

  package var format: VideoFormat { reader.demuxer.videoFormat }
  package var codecName: String { reader.demuxer.codecName }
  package var duration: MediaTime? { reader.demuxer.duration }

  package mutating func next() throws(FFmpegError) -> DecodedPicture? {
    guard let frame = try reader.next() else { return nil }
    let time = reader.time(of: frame, lasting: format.frameRate.frameDuration)
    return DecodedPicture(frame: frame, time: time)
  }

  package mutating func rewind() throws(FFmpegError) { try reader.rewind() }
}

/// Reads a file's sound as interleaved floats at its own rate.
package struct SoundReader: FileReader, ~Copyable {
  private var reader: TrackReader
  package let format: AudioFormat

  package init(path: String) throws(FFmpegError) {
    try self.init(Demuxer(path: path, kind: .audio), of: path)
  }

  package init(_ stream: MediaStream, of path: String) throws(FFmpegError) {
    try self.init(Demuxer(stream, of: path, kind: .audio), of: path)
  }

  private init(_ demuxer: consuming Demuxer, of path: String) throws(FFmpegError) {
    let reader = try TrackReader(demuxer)
    let format = reader.demuxer.audioFormat
    guard format.isUsable else {
      throw FFmpegError(operation: "sound format of \(path)", code: cff_AVERROR_EINVAL)
    }
    self.format = format
    self.reader = reader
  }

  package var codecName: String { reader.demuxer.codecName }
  package var duration: MediaTime? { reader.demuxer.duration }

  package mutating func next() throws(FFmpegError) -> (samples: [Float], time: MediaTime)? {
    guard let frame = try reader.next() else { return nil }
    let samples = try Self.interleaved(frame, channels: format.channels)
    let duration = format.duration(ofFrames: samples.count / format.channels)
    return (samples, reader.time(of: frame, lasting: duration))
  }

  package mutating func rewind() throws(FFmpegError) { try reader.rewind() }

  static func interleaved(_ frame: borrowing Frame, channels: Int) throws(FFmpegError) -> [Float] {
    var context = swr_alloc()
    defer { swr_free(&context) }
    let result = try Frame()
    result.raw.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
    result.raw.pointee.sample_rate = frame.raw.pointee.sample_rate
    av_channel_layout_default(&result.raw.pointee.ch_layout, Int32(channels))
    try check(swr_convert_frame(context, result.raw, frame.raw), "swr_convert_frame")
    let count = Int(result.raw.pointee.nb_samples) * channels
    guard let data = result.raw.pointee.data.0 else { return [] }
    return UnsafeMutableRawPointer(data).withMemoryRebound(to: Float.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }
}

extension AudioFormat {
  /// Within what FFmpeg's resampler can convert.
  var isUsable: Bool { (1...768_000).contains(sampleRate) && (1...64).contains(channels) }
}
