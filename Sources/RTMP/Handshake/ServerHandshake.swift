internal import HoldfastMediaModel

/// The server's side of the handshake: it signs for clients that sign.
struct ServerHandshake: Sendable {
  private let digests: MessageDigests
  private let random: [UInt8]
  /// What has come of the version byte and the client's two packets.
  private var received: [UInt8] = []
  private var hasAnswered = false
  private(set) var isFinished = false

  private static let version: [UInt8] = [4, 5, 0, 1]

  init(random: [UInt8], digests: MessageDigests) {
    self.random = random
    self.digests = digests
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
      throw .malformed("the client's handshake begins with \(version)")
    }
    if !hasAnswered, received.count >= 1 + Handshake.size {
      hasAnswered = true
      answer(to: Array(received[1...Handshake.size]), &output)
    }
    isFinished = received.count == whole
    if isFinished { received = [] }
    return count
  }

  private func answer(to packet: [UInt8], _ output: inout OutgoingBytes) {
    output.append(Handshake.version)
    guard let (scheme, digest) = Handshake.findDigest(in: packet, .client, digests) else {
      output.append(contentsOf: Handshake.firstPacket(version: [0, 0, 0, 0], random: random))
      output.append(contentsOf: packet)
      return
    }
    var first = Handshake.firstPacket(version: Self.version, random: random)
    Handshake.sign(&first, scheme, .server, digests)
    output.append(contentsOf: first)
    output.append(contentsOf: Handshake.answer(to: digest, .server, random: random, digests))
  }
}
