import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP
import TestSupport

@testable import HoldfastRTMP

/// A player that does just enough of the protocol to be given media, and counts what it gets.
final class TestPlayer {
  private var connection: Connection
  private var handshake: Handshake
  private var reader = ChunkReader()
  private var writer = ChunkWriter()
  private var outgoing = OutgoingBytes()
  private let address: RTMPURL
  private let deadline = MonotonicTime.now + .seconds(120)
  private(set) var isPlaying = false
  private(set) var hasEnded = false
  private(set) var codecs: Set<Codec> = []
  private var packets: [TrackKind: Int] = [:]
  private(set) var statuses: [String] = []

  init(_ url: String) throws {
    address = try RTMPURL(url)
    let digests = MessageDigests(md5: { md5($0) }, hmacSHA256: { hmacSHA256(key: $0, message: $1) })
    handshake = Handshake(.client, random: randomBytes(1536), digests: digests)
    connection = try Connection(
      host: address.host, port: address.port,
      tls: address.isSecure ? TLSSettings(isVerified: false) : nil, until: .now + .seconds(30), stop: Wakeup()
    )
    handshake.begin(in: &outgoing)
  }

  /// A player that the server has let play.
  static func playing(_ url: String) throws -> TestPlayer {
    let player = try TestPlayer(url)
    try player.waitUntilPlaying()
    return player
  }

  func waitUntilPlaying() throws { while !isPlaying { try turn() } }

  func readToEnd() throws { while !hasEnded { try turn() } }

  func wait(for count: Int, of kind: TrackKind) throws {
    while packets(of: kind) < count, !hasEnded { try turn() }
  }

  /// The first status about playing, such as `NetStream.Play.Start`; reads to the server's end without one.
  func answer() throws -> String? {
    while true {
      if let status = statuses.first(where: { $0.hasPrefix("NetStream.Play.") }) { return status }
      if hasEnded { return nil }
      try turn()
    }
  }

  func packets(of kind: TrackKind) -> Int { packets[kind] ?? 0 }

  /// Reads to the end while `publisher` publishes the usual file, and returns the number of pictures.
  func pictures(from publisher: TestPublisher) throws -> Int {
    try publisher.finish(with: Fixture.h264AndAAC())
    try readToEnd()
    return packets(of: .video)
  }

  private func turn() throws {
    guard .now < deadline else { throw TestFailure("too late") }
    let unsent = outgoing.takeAll()
    let taken = try connection.write(unsent.span)
    outgoing.append(contentsOf: unsent[taken...])
    try connection.wait(toWrite: !outgoing.isEmpty, until: deadline)
    var bytes: [UInt8] = []
    switch try connection.read(into: &bytes) {
    case .bytes: try receive(bytes)
    case .ended: hasEnded = true
    case .nothingYet: break
    }
  }

  private func receive(_ bytes: [UInt8]) throws {
    var offset = 0
    if !handshake.isFinished {
      offset = try handshake.receive(bytes.span, &outgoing)
      if handshake.isFinished {
        send("connect", 1, [.object([.init("app", .string(address.application))])])
        send("createStream", 2, [.null])
      }
    }
    let rest = Array(bytes[offset...])
    for message in try reader.receive(rest.span) { try handle(message) }
  }

  private func handle(_ message: RTMPMessage) throws {
    switch message.kind {
    case .video: count(FLVTag(video: message.payload))
    case .audio: count(FLVTag(audio: message.payload))
    case .commandAMF0: try handleCommand(message)
    default: break
    }
  }

  private func count(_ tag: FLVTag) {
    switch tag {
    case .headers(let codec, _): codecs.insert(codec)
    case .packet(let codec, _, _, _):
      codecs.insert(codec)
      packets[codec.kind, default: 0] += 1
    case .other: break
    }
  }

  private func handleCommand(_ message: RTMPMessage) throws {
    let values = try AMFReader.values(in: message.payload)
    if values.starts(with: [.string("_result"), .number(2)]) {
      send("play", 3, [.null, .string(address.streamName)], stream: 1)
    }
    guard let code = values.last?["code"]?.text else { return }
    statuses.append(code)
    if code == "NetStream.Play.Start" { isPlaying = true }
    if code == "NetStream.Play.UnpublishNotify" { hasEnded = true }
  }

  private func send(_ name: String, _ transaction: Double, _ values: [AMFValue], stream: UInt32 = 0) {
    let payload = AMF0Writer.bytes(of: [.string(name), .number(transaction)] + values)
    writer.write(.commandAMF0, on: 3, streamID: stream, payload: payload[...], in: &outgoing)
  }
}
