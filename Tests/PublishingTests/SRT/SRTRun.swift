import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastPublishing

/// A test's own output thread: drives one sink.
struct SRTRun {
  let sink: SRTSink
  let wakeup: Wakeup
  let stop: Wakeup

  init(_ address: String) throws {
    sink = SRTSink(try SRTURL(address))
    wakeup = try Wakeup()
    stop = try Wakeup()
  }

  init(to listener: SRTListener, _ arguments: String = "") throws {
    try self.init("srt://127.0.0.1:\(listener.port)\(arguments)")
  }

  func open(_ tracks: [Track], within limit: MediaTime = .seconds(20)) throws(SinkError) {
    try sink.open(PublishRequest(type: .live, tracks: tracks), until: .now + limit, stop: stop)
  }

  /// Sends as fast as the listener takes it.
  func send(_ packets: some Sequence<MediaPacket>) throws {
    for packet in packets {
      try sink.send(packet)
      repeat { try turn() } while sink.backlog > 0
    }
  }

  func turn(_ length: MediaTime = .zero) throws { try sink.exchange(until: .now + length, wakeup: wakeup) }

  /// A whole broadcast, in real time.
  func publish(_ media: EncodedMedia) throws {
    try open(media.tracks)
    try LiveRun(self, media).go()
    sink.close(until: .now + .seconds(10))
  }
}
