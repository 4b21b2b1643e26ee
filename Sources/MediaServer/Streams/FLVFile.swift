internal import HoldfastMediaModel
internal import HoldfastPlatform

/// One FLV file that a stream is written to, some tags at a time. It ends with a whole tag, also after a full disk.
struct FLVFile: ~Copyable {
  /// So many bytes are gathered.
  private static let gathered = 256 << 10

  private let file: FileDescriptor
  /// What this publish's time line begins at in the file.
  let start: Int64
  private(set) var size: Int
  private var waiting: [UInt8] = []
  private var flags: UInt8
  private var hasWrongFlags = false

  enum Beginning {
    case anew
    /// Behind what is there.
    case continued
  }

  init(_ path: String, _ beginning: Beginning) throws(SystemError) {
    let file = try FileDescriptor.openForUpdating(path)
    let tail: FLVTail? =
      switch beginning {
      case .anew: nil
      case .continued: try FLVTail.find(in: file)
      }
    try file.truncate(to: tail?.size ?? 0)
    self.file = file
    flags = tail?.flags ?? 0
    start = tail?.time ?? 0
    size = tail?.size ?? 0
    if tail == nil { waiting = FLVFormat.header(flags: 0) }
    waiting.reserveCapacity(Self.gathered + 64 << 10)
  }

  /// `time` counts from the publish's beginning.
  mutating func append(_ message: StreamMessage, at time: Int64) throws(SystemError) {
    switch message.kind {
    case .media(.audio): name(FLVFormat.audioFlag)
    case .media(.video): name(FLVFormat.videoFlag)
    case .metadata:
      // FFmpeg understands it at the beginning only, and takes it for subtitles elsewhere.
      guard size == 0, waiting.count == FLVFormat.headerSize else { return }
      return FLVFormat.append(message, at: 0, to: &waiting)
    case .data: break
    }
    FLVFormat.append(message, at: start + time, to: &waiting)
    if waiting.count >= Self.gathered { try flush() }
  }

  /// The header has to name every track.
  private mutating func name(_ flag: UInt8) {
    guard flags & flag == 0 else { return }
    flags |= flag
    hasWrongFlags = true
  }

  mutating func flush() throws(SystemError) {
    guard !waiting.isEmpty else { return }
    if hasWrongFlags, size == 0 { waiting[FLVFormat.flagsOffset] = flags }
    do throws(SystemError) {
      try file.write(waiting, at: size)
    } catch {
      // Half a tag is no use to anybody.
      try? file.truncate(to: size)
      throw error
    }
    if hasWrongFlags, size > 0 { try file.write([flags], at: FLVFormat.flagsOffset) }
    hasWrongFlags = false
    size += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }

  /// All bytes, those too that wait to be written.
  var length: Int { size + waiting.count }
}
