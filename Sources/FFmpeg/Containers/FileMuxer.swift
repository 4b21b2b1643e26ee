internal import CFFmpeg
package import HoldfastMediaModel

/// Puts packets into a container in a file, for those containers that go back to what they have written.
package struct FileMuxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let streams: [TrackKind: Int32]
  private let canceller: Canceller

  /// `container` and `options` are FFmpeg's names; what is at `path` is written over. Where `areHeadersInBand`, packets
  /// bring other parameter sets than the tracks' headers. Once `isCancelled`, every call fails.
  package init(
    path: String, container: String, tracks: [Track], options: [(name: String, value: String)] = [],
    areHeadersInBand: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(FFmpegError) {
    var context: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&context, nil, container, "file:" + path), "container \(container)")
    guard let context else { throw .outOfMemory("avformat_alloc_output_context2") }
    guard let packet = av_packet_alloc() else {
      avformat_free_context(context)
      throw .outOfMemory("av_packet_alloc")
    }
    let canceller = Canceller(isCancelled)
    do {
      self.streams = try Self.start(
        context, path, container, tracks, options, areHeadersInBand, canceller)
    } catch {
      Self.free(context, packet)
      throw error
    }
    self.context = context
    self.packet = packet
    self.canceller = canceller
  }

  deinit {
    Self.free(context, packet)
  }

  private static func free(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ packet: UnsafeMutablePointer<AVPacket>
  ) {
    avio_closep(&context.pointee.pb)
    avformat_free_context(context)
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  private static func start(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ path: String, _ container: String, _ tracks: [Track],
    _ options: [(name: String, value: String)], _ areHeadersInBand: Bool, _ canceller: Canceller
  ) throws(FFmpegError) -> [TrackKind: Int32] {
    context.pointee.interrupt_callback = AVIOInterruptCB(
      callback: Canceller.ask, opaque: Unmanaged.passUnretained(canceller).toOpaque())
    context.pointee.avoid_negative_ts = 0
    try check(
      avio_open2(
        &context.pointee.pb, "file:" + path, cff_AVIO_FLAG_WRITE, &context.pointee.interrupt_callback, nil),
      "open \(path)")
    var streams: [TrackKind: Int32] = [:]
    for track in tracks {
      guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory("avformat_new_stream") }
      try stream.describe(track)
      if areHeadersInBand, container == "mp4", let tag = track.codec.inBandTag {
        stream.pointee.codecpar.pointee.codec_tag = tag
      }
      streams[track.kind] = stream.pointee.index
    }
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for option in options { av_dict_set(&dictionary, option.name, option.value, 0) }
    try check(avformat_write_header(context, &dictionary), "avformat_write_header")
    return streams
  }

  /// A track's packets have to come in the order in which they are decoded.
  package mutating func write(_ media: MediaPacket) throws(FFmpegError) {
    guard let index = streams[media.track], let stream = context.pointee.streams[Int(index)] else { return }
    let timescale = Int(stream.pointee.time_base.den)
    packet.pointee.stream_index = index
    packet.pointee.dts = media.decodeTime.ticks(timescale: timescale)
    packet.pointee.pts = media.presentationTime.ticks(timescale: timescale)
    packet.pointee.duration = media.duration.ticks(timescale: timescale)
    packet.pointee.flags = media.isKeyframe ? cff_AV_PKT_FLAG_KEY : 0
    let status = media.bytes.withUnsafeBufferPointer { bytes in
      packet.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress)
      packet.pointee.size = Int32(clamping: bytes.count)
      return av_write_frame(context, packet)
    }
    packet.pointee.data = nil
    packet.pointee.size = 0
    try check(status, "av_write_frame")
  }

  /// Each chapter lasts until the next one, the last until `end`. To be said before `finish`.
  package mutating func setChapters(
    _ chapters: [(start: MediaTime, title: String)], end: MediaTime
  ) throws(FFmpegError) {
    guard !chapters.isEmpty, context.pointee.nb_chapters == 0 else { return }
    let size = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
    guard let list = av_calloc(chapters.count, size) else { throw .outOfMemory("chapters") }
    let entries = list.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
    context.pointee.chapters = entries
    for (index, chapter) in chapters.enumerated() {
      guard let memory = av_mallocz(MemoryLayout<AVChapter>.stride) else { throw .outOfMemory("chapters") }
      let entry = memory.assumingMemoryBound(to: AVChapter.self)
      let next = index + 1 < chapters.count ? chapters[index + 1].start : end
      entry.pointee.id = Int64(index + 1)
      entry.pointee.time_base = AVRational(num: 1, den: 1000)
      entry.pointee.start = chapter.start.ticks(timescale: 1000)
      entry.pointee.end = max(chapter.start, next).ticks(timescale: 1000)
      entries[index] = entry
      context.pointee.nb_chapters = UInt32(index + 1)
      try check(av_dict_set(&entry.pointee.metadata, "title", chapter.title, 0), "chapters")
    }
  }

  /// Writes what belongs at the end, and what has to be moved to the front.
  package mutating func finish() throws(FFmpegError) {
    try check(av_write_trailer(context), "av_write_trailer")
    try check(avio_closep(&context.pointee.pb), "close")
  }
}

/// What FFmpeg asks whether it is to go on.
private final class Canceller: Sendable {
  private let isCancelled: @Sendable () -> Bool

  init(_ isCancelled: @escaping @Sendable () -> Bool) {
    self.isCancelled = isCancelled
  }

  static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { opaque in
    guard let opaque else { return 0 }
    return Unmanaged<Canceller>.fromOpaque(opaque).takeUnretainedValue().isCancelled() ? 1 : 0
  }
}

extension Codec {
  /// What MP4 calls a track whose packets may hold parameter sets: `avc3`, `hev1`.
  fileprivate var inBandTag: UInt32? {
    switch self {
    case .h264: 0x3363_7661
    case .hevc: 0x3176_6568
    case .av1, .aac, .opus: nil
    }
  }
}
