import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP
import TestSupport

/// A publisher of our own protocol code, which says any publish type and sends a file as fast as it is taken.
final class TestPublisher {
  private var connection: Connection
  private var client: RTMPClient
  private(set) var events: [RTMPClient.Event] = []
  private(set) var hasEnded = false
  private let deadline = MonotonicTime.now + .seconds(30)

  init(_ url: String, _ type: PublishType, codecs: [Codec] = [.h264, .aac]) throws {
    let address = try RTMPURL(url)
    let digests = MessageDigests(md5: { md5($0) }, hmacSHA256: { hmacSHA256(key: $0, message: $1) })
    var client = RTMPClient(
      .init(url: address, publishType: type, codecs: codecs, digests: digests, random: randomBytes(1536)))
    client.begin()
    self.client = client
    connection = try Connection(
      host: address.host, port: address.port,
      tls: address.isSecure ? TLSSettings(isVerified: false) : nil, until: .now + .seconds(30), stop: Wakeup()
    )
  }

  /// A publisher whose publish has been accepted or refused.
  static func answered(
    _ url: String, _ type: PublishType, codecs: [Codec] = [.h264, .aac]
  ) throws -> TestPublisher {
    let publisher = try TestPublisher(url, type, codecs: codecs)
    while !publisher.isAccepted, publisher.refusal == nil { try publisher.turn() }
    return publisher
  }

  var isAccepted: Bool { events.contains(.accepted) }

  var refusal: RTMPRefusal.Reason? {
    events.lazy.compactMap { event in
      if case .refused(let refusal) = event { refusal.reason } else { nil }
    }.first
  }

  /// Reads until the server has closed the connection.
  func readToEnd() throws { while !hasEnded { try turn() } }

  /// Sends what waits, and reads what has come.
  private func turn() throws {
    guard .now < deadline else { throw TestFailure("too late") }
    try flushSome()
    try connection.wait(toWrite: !client.outgoing.isEmpty, until: deadline)
    var bytes: [UInt8] = []
    switch try connection.read(into: &bytes) {
    case .bytes: events += try client.receive(bytes.span)
    case .ended: hasEnded = true
    case .nothingYet: break
    }
  }

  private func flushSome() throws {
    let count = try client.outgoing.withUnsent { (bytes) throws(ConnectionError) in
      try connection.write(bytes.extracting(0..<bytes.count))
    }
    client.outgoing.removeFirst(count)
  }

  /// Sends all packets of a file, in the order of their times.
  func send(file path: String) throws {
    let file = try EncodedFile(path)
    try client.start(file.tracks)
    // Pictures in another order begin before 0, which this protocol can't say.
    let shift = MediaTime(nanoseconds: max(0, -(file.packets.first?.decodeTime.nanoseconds ?? 0)))
    for packet in file.packets {
      try client.send(packet, at: packet.decodeTime + shift)
      while client.outgoing.count > 1 << 20 { try turn() }
    }
    try flush()
  }

  /// Sends pictures of any content, each a keyframe of `size` bytes, on the video track of a file.
  func send(pictures count: Int, of size: Int, like path: String) throws {
    try client.start([PacketReader(path: path, kind: .video).track])
    let bytes = [UInt8](repeating: 0x55, count: size)
    for number in 0..<count {
      let time = MediaTime.milliseconds(Int64(number) * 33)
      let packet = MediaPacket(
        track: .video, decodeTime: time, presentationTime: time, duration: .milliseconds(33),
        isKeyframe: true, bytes: bytes)
      try client.send(packet, at: time)
      try flush()
    }
  }

  func send(event name: String, text: String) throws {
    client.sendData(name: name, text: text, at: .zero)
    try flush()
  }

  func flush() throws {
    while !client.outgoing.isEmpty {
      guard .now < deadline else { throw TestFailure("too late") }
      try flushSome()
      if !client.outgoing.isEmpty { try connection.wait(toWrite: true, until: deadline) }
    }
  }

  /// Ends the publish in order, and reads to the server's good-bye.
  func finish() throws {
    client.finish()
    try flush()
    connection.endSending()
  }

  /// Sends all packets of a file, and ends the publish in order.
  func finish(with path: String) throws {
    try send(file: path)
    try finish()
  }

  /// Breaks the connection off.
  func abort() { connection.abort() }

  /// Publishes a whole file from beginning to end.
  static func publish(_ path: String, to url: String, _ type: PublishType, codecs: [Codec] = [.h264, .aac])
    throws
  {
    try TestPublisher.answered(url, type, codecs: codecs).finish(with: path)
  }
}
