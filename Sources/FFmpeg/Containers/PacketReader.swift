import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Reads the encoded packets of one track of a file.
package struct PacketReader: FileReader, ~Copyable {
  private let demuxer: Demuxer
  private let copied: CopiedTrack
  /// The time of a packet without one, as in a raw stream.
  private var nextTime = MediaTime.zero
  private var ahead: [MediaPacket] = []
  private var hasDecodeTimes = false

  /// The maximum reordering depth.
  private static let maxReordering = 17

  /// The track of a stream, of which only the beginning is read.
  package static func track(
    of stream: MediaStream, from path: String, kind: TrackKind
  ) throws(FFmpegError) -> Track {
    try PacketReader(Demuxer(stream, of: path, kind: kind), path: path, kind: kind).track
  }

  package init(path: String, kind: TrackKind) throws(FFmpegError) {
    try self.init(Demuxer(path: path, kind: kind), path: path, kind: kind)
  }

  private init(_ demuxer: consuming Demuxer, path: String, kind: TrackKind) throws(FFmpegError) {
    let format: Track.Format = kind == .video ? .video(demuxer.videoFormat) : .audio(demuxer.audioFormat)
    copied = try CopiedTrack(
      demuxer.stream.pointee.codecpar.pointee, format, name: "\(demuxer.codecName) of \(path)")
    self.demuxer = demuxer
  }

  package var track: Track { copied.track }
  package var duration: MediaTime? { demuxer.duration }

  package mutating func next() throws(FFmpegError) -> MediaPacket? {
    while ahead.isEmpty || !hasDecodeTimes {
      guard try demuxer.readPacket() else { break }
      let packet = UnsafePointer(demuxer.packet)
      let presentation = demuxer.time(packet.pointee.pts)
      let decode = demuxer.time(packet.pointee.dts)
      let duration = packet.pointee.duration > 0 ? demuxer.length(packet.pointee.duration) : usualDuration
      ahead.append(
        MediaPacket(
          track: track.kind, decodeTime: decode ?? presentation ?? nextTime,
          presentationTime: presentation ?? decode ?? nextTime, duration: duration,
          isKeyframe: packet.isKeyframe, bytes: copied.payload(packet.bytes.span)))
      nextTime = ahead[ahead.count - 1].decodeTime + duration
      let isRaw = presentation == nil && decode == nil
      if !hasDecodeTimes, decode != nil || isRaw || ahead.count == Self.maxReordering { countBack() }
    }
    if !hasDecodeTimes { countBack() }
    return ahead.isEmpty ? nil : ahead.removeFirst()
  }

  /// Fills in the first decode times, which FFmpeg knows only after sorting enough pictures.
  private mutating func countBack() {
    hasDecodeTimes = true
    guard let last = ahead.last else { return }
    for index in ahead.indices {
      let distance = Int64(ahead.count - 1 - index)
      ahead[index].decodeTime.nanoseconds = last.decodeTime.nanoseconds - distance * usualDuration.nanoseconds
    }
  }

  private var usualDuration: MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio: .zero
    }
  }

  package mutating func rewind() throws(FFmpegError) {
    try demuxer.rewind()
    nextTime = .zero
    ahead = []
    hasDecodeTimes = false
  }
}
