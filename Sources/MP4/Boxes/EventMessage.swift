package import HoldfastMediaModel

/// An `emsg` box (ISO/IEC 23009-1). Players ignore those of schemes that they don't know.
package struct EventMessage: Hashable, Sendable {
  package var scheme: String
  package var value: String
  package var id: UInt32
  /// In the time of the media.
  package var time: MediaTime
  package var duration = MediaTime.zero
  package var data: String

  package init(
    scheme: String, value: String, id: UInt32, time: MediaTime, duration: MediaTime = .zero, data: String
  ) {
    self.scheme = scheme
    self.value = value
    self.id = id
    self.time = time
    self.duration = duration
    self.data = data
  }

  private static let timescale = 1000

  package var bytes: [UInt8] {
    var content = Box.bytes(UInt32(1) << 24)
    content += Box.bytes(UInt32(Self.timescale))
    content += Box.bytes(UInt64(clamping: time.ticks(timescale: Self.timescale)))
    content += Box.bytes(UInt32(clamping: duration.ticks(timescale: Self.timescale)))
    content += Box.bytes(id)
    for text in [scheme, value] { content += Array(text.utf8) + [0] }
    return Box.make("emsg", content + Array(data.utf8))
  }
}
