import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Muxes packets into a file, for containers that need random access.
package struct FileMuxer: ~Copyable {
  private var writer: ContainerWriter
  private let interruption: Interruption

  /// Overwrites an existing file; `container` and `options` are FFmpeg's names. `titles` are those of the
  /// tracks, `begins` is the wall time of the file's time 0. With `areHeadersInBand`, packets may contain new
  /// parameter sets. Once `isCancelled`, every call fails.
  package init(
    path: String, container: String, tracks: [Track], titles: [String] = [], begins: WallTime? = nil,
    options: [(name: String, value: String)] = [], areHeadersInBand: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(FFmpegError) {
    let interruption = Interruption(isCancelled)
    var writer = try ContainerWriter(container, path: "file:" + path)
    let context = writer.context
    context.pointee.interrupt_callback = interruption.callback
    try check(
      avio_open2(
        &context.pointee.pb, "file:" + path, cff_AVIO_FLAG_WRITE, &context.pointee.interrupt_callback, nil),
      "open \(path)")
    do {
      if let begins {
        try check(av_dict_set(&context.pointee.metadata, "creation_time", begins.rfc3339, 0), "creation_time")
      }
      try writer.begin(tracks, titles: titles, options: options) {
        areHeadersInBand && container == "mp4" ? $0.codec.inBandTag : nil
      }
    } catch {
      avio_closep(&context.pointee.pb)
      throw error
    }
    self.writer = writer
    self.interruption = interruption
  }

  deinit { avio_closep(&writer.context.pointee.pb) }

  /// Writes a packet to track number `track`, or else to the first one of its kind; each track's packets must
  /// be in decoding order.
  package mutating func write(_ media: MediaPacket, track: Int? = nil) throws(FFmpegError) {
    try writer.write(media, as: media.bytes, track: track)
  }

  /// Sets chapters, each up to the next one or `end`; must be called before `finish`.
  package mutating func setChapters(
    _ chapters: [(start: MediaTime, title: String)], end: MediaTime
  ) throws(FFmpegError) {
    let context = writer.context
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

  package mutating func finish() throws(FFmpegError) {
    try check(av_write_trailer(writer.context), "av_write_trailer")
    try check(avio_closep(&writer.context.pointee.pb), "close")
  }
}

extension Codec {
  /// The MP4 tag of a track with in-band parameter sets: `avc3`, `hev1`.
  fileprivate var inBandTag: UInt32? {
    switch self {
    case .h264: 0x3363_7661
    case .hevc: 0x3176_6568
    case .av1, .aac, .opus: nil
    }
  }
}
