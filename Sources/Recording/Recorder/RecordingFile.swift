internal import HoldfastMP4
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// One file of a recording while it is written.
struct RecordingFile: ~Copyable, Sendable {
  let path: String
  /// What lies here on the media time line is at 0 in it.
  let origin: MediaTime
  /// How long the broadcast stood still before it, which is not kept in it.
  let standstillBefore: MediaTime
  private var writer: FragmentWriter
  /// It has been said that it can be played.
  var isTold = false
  private var nextSync = MonotonicTime.now

  init(path: String, origin: MediaTime, standstillBefore: MediaTime, writer: consuming FragmentWriter) {
    self.path = path
    self.origin = origin
    self.standstillBefore = standstillBefore
    self.writer = writer
  }

  var bytesWritten: Int { writer.bytesWritten }

  /// The broadcast stood still for as long as `standstill` before the packet, in all: so much later it lies in the file than
  /// on the media time line.
  mutating func write(_ packet: MediaPacket, standstill: MediaTime) throws {
    let shift = standstill - standstillBefore - origin
    var packet = packet
    packet.decodeTime += shift
    packet.presentationTime += shift
    try writer.write(packet)
  }

  mutating func flush() throws {
    try writer.flush()
  }

  /// Ends it cleanly; how long it is.
  mutating func finish() throws -> Int {
    try writer.finish()
    return writer.bytesWritten
  }

  /// A hold on it that can be synchronized; nil where that isn't due yet.
  mutating func holdForSync(every interval: MediaTime, at now: MonotonicTime) -> FileDescriptor? {
    guard now >= nextSync else { return nil }
    nextSync = now + interval
    return try? writer.secondHold()
  }

  /// What stands at its path is another file, or nothing.
  var isGone: Bool { !writer.isAt(path) }
}
