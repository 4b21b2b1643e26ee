internal import HoldfastMediaModel

/// The client's side of the handshake: signed, as some servers ask for, and content with servers that don't sign.
struct ClientHandshake: Sendable {
  private let digests: MessageDigests
  private let random: [UInt8]
  /// What has come of the version byte and the server's two packets.
  private var received: [UInt8] = []
  private var hasAnswered = false
  private(set) var isFinished = false

  private static let version: [UInt8] = [9, 0, 124, 2]

  init(random: [UInt8], digests: MessageDigests) {
    self.random = random
    self.digests = digests
  }

  mutating func begin(in output: inout OutgoingBytes) {
    var packet = Handshake.firstPacket(version: Self.version, random: random)
    Handshake.sign(&packet, .first, .client, digests)
    output.append(Handshake.version)
    output.append(contentsOf: packet)
  }

  /// Takes what belongs to the handshake; the result is how much of `bytes` that was.
  mutating func receive(
    _ bytes: borrowing Span<UInt8>, _ output: inout OutgoingBytes
  ) throws(RTMPError) -> Int {
    guard !isFinished else { return 0 }
    let whole = 1 + 2 * Handshake.size
    let count = min(bytes.count, whole - received.count)
    let taken = bytes.extracting(0..<count)
    unsafe taken.withUnsafeBufferPointer { unsafe received.append(contentsOf: $0) }
    if let version = received.first, version != Handshake.version {
      throw .malformed("the server's handshake begins with \(version)")
    }
    if !hasAnswered, received.count >= 1 + Handshake.size {
      hasAnswered = true
      output.append(contentsOf: answer(to: Array(received[1...Handshake.size])))
    }
    isFinished = received.count == whole
    if isFinished { received = [] }
    return count
  }

  private func answer(to packet: [UInt8]) -> [UInt8] {
    guard let (_, digest) = Handshake.findDigest(in: packet, .server, digests) else { return packet }
    return Handshake.answer(to: digest, .client, random: random, digests)
  }
}
