import HoldfastMediaModel
import HoldfastPlatform

/// An FLV file that a stream is recorded to, with buffered writes. It always ends with a complete tag, even
/// when the disk is full.
struct FLVFile: ~Copyable {
  /// Buffer size at which tags are written.
  private static let bufferSize = 64 << 10

  private let file: FileDescriptor
  /// File time at which this publish starts, in milliseconds.
  let start: Int64
  /// Added to this publish's times; nil until its first packet.
  private var offset: Int64?
  private(set) var size: Int
  private var waiting: [UInt8] = []
  private var flags: UInt8
  private var hasWrongFlags = false
  /// A picture of this publish was appended.
  private var hasPicture = false

  /// The new name of the file that was there.
  let movedAside: String?

  enum Mode {
    /// A file that is there is moved aside.
    case new
    /// The first packet follows the existing content.
    case continued
    /// This publish's times are added to the last time of the existing content.
    case added
  }

  init(_ path: String, _ mode: Mode) throws(SystemError) {
    let movedAside = mode == .new ? try moveAside(path) : nil
    let file = try FileDescriptor.openForUpdating(path)
    let tail: FLVTail? =
      switch mode {
      case .new: nil
      case .continued, .added: try FLVTail.find(in: file)
      }
    try file.truncate(to: tail?.size ?? 0)
    self.file = file
    self.movedAside = movedAside
    flags = tail?.flags ?? 0
    start = (mode == .added ? tail?.last : tail?.end) ?? 0
    offset = tail == nil || mode == .added ? start : nil
    size = tail?.size ?? 0
    if tail == nil { waiting = FLVFormat.header(flags: 0) }
  }

  mutating func append(_ message: StreamMessage, at time: Int64) throws(SystemError) {
    switch message.kind {
    case .media(.audio): name(FLVFormat.audioFlag)
    case .media(.video): name(FLVFormat.videoFlag)
    case .metadata:
      // FFmpeg reads metadata only at the beginning and treats it as subtitles elsewhere.
      guard size == 0, waiting.count == FLVFormat.headerSize else { return }
      return FLVFormat.append(message, at: 0, to: &waiting)
    case .data: break
    }
    FLVFormat.append(message, at: fileTime(of: message, at: time), to: &waiting)
    // At once, for readers that wait for the stream.
    let isFirstPicture = !hasPicture && message.kind == .media(.video) && !message.isHeaders
    hasPicture = hasPicture || isFirstPicture
    if isFirstPicture || waiting.count >= Self.bufferSize { try flush() }
  }

  private mutating func fileTime(of message: StreamMessage, at time: Int64) -> Int64 {
    if let offset { return max(start, time + offset) }
    if !message.isHeaders { offset = start - time }
    return start
  }

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
      // Remove a partly written tag.
      try? file.truncate(to: size)
      throw error
    }
    if hasWrongFlags, size > 0 { try file.write([flags], at: FLVFormat.flagsOffset) }
    hasWrongFlags = false
    size += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }

  /// Size including buffered bytes.
  var length: Int { size + waiting.count }
}
