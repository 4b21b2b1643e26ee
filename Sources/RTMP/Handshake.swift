import HoldfastMediaModel

/// One side of the handshake. A client signs, but need not be answered with a signature; a server signs if
/// the client does.
struct Handshake: Sendable {
  enum Side: String, Sendable {
    case client, server

    var peer: Side { self == .client ? .server : .client }

    fileprivate var version: [UInt8] { self == .client ? [9, 0, 124, 2] : [4, 5, 0, 1] }

    /// Signs the first packet.
    fileprivate var publicKey: [UInt8] {
      Array("Genuine Adobe Flash \(self == .client ? "Player" : "Media Server") 001".utf8)
    }

    /// Signs the answer.
    fileprivate var key: [UInt8] {
      publicKey + [
        0xF0, 0xEE, 0xC2, 0x4A, 0x80, 0x68, 0xBE, 0xE8, 0x2E, 0x00, 0xD0, 0xD1, 0x02, 0x9E, 0x7E, 0x57,
        0x6E, 0xEC, 0x5D, 0x2D, 0x29, 0x80, 0x6F, 0xAB, 0x93, 0xB8, 0xE6, 0x36, 0xCF, 0xEB, 0x31, 0xAE,
      ]
    }
  }

  private let side: Side
  private let digests: MessageDigests
  private let random: [UInt8]
  private var received: [UInt8] = []
  private var hasAnswered = false
  private(set) var isFinished = false

  private static let protocolVersion: UInt8 = 3

  init(_ side: Side, random: [UInt8], digests: MessageDigests) {
    self.side = side
    self.random = random
    self.digests = digests
  }

  mutating func begin(in output: inout OutgoingBytes) {
    sendFirst(version: side.version, signed: .first, in: &output)
  }

  /// Consumes bytes of the handshake; returns their number.
  mutating func receive(
    _ bytes: borrowing Span<UInt8>, _ output: inout OutgoingBytes
  ) throws(RTMPError) -> Int {
    guard !isFinished else { return 0 }
    let whole = 1 + 2 * Self.size
    let count = min(bytes.count, whole - received.count)
    let taken = bytes.extracting(0..<count)
    unsafe taken.withUnsafeBufferPointer { unsafe received.append(contentsOf: $0) }
    if let version = received.first, version != Self.protocolVersion {
      throw .malformed("the \(side.peer)'s handshake begins with \(version)")
    }
    if !hasAnswered, received.count >= 1 + Self.size {
      hasAnswered = true
      answer(Array(received[1...Self.size]), in: &output)
    }
    isFinished = received.count == whole
    if isFinished { received = [] }
    return count
  }

  private func answer(_ packet: [UInt8], in output: inout OutgoingBytes) {
    let signature = Self.findDigest(in: packet, side.peer, digests)
    if side == .server {
      sendFirst(
        version: signature == nil ? [0, 0, 0, 0] : side.version, signed: signature?.scheme, in: &output)
    }
    output.append(
      contentsOf: signature.map { Self.answer(to: $0.digest, side, random: random, digests) } ?? packet)
  }

  private func sendFirst(version: [UInt8], signed scheme: Scheme?, in output: inout OutgoingBytes) {
    var packet = Self.firstPacket(version: version, random: random)
    if let scheme { Self.sign(&packet, scheme, side, digests) }
    output.append(Self.protocolVersion)
    output.append(contentsOf: packet)
  }
}

// MARK: - Packets

extension Handshake {
  static let size = 1536
  private static let digestSize = 32

  /// The digest's location: after the time and version, or after the obsolete key exchange.
  enum Scheme: Int, CaseIterable {
    case first = 8
    case second = 772

    func digestOffset(in packet: [UInt8]) -> Int {
      packet[rawValue..<rawValue + 4].reduce(0) { $0 + Int($1) } % 728 + rawValue + 4
    }
  }

  static func sign(_ packet: inout [UInt8], _ scheme: Scheme, _ side: Side, _ digests: MessageDigests) {
    let offset = scheme.digestOffset(in: packet)
    let digest = digest(of: packet, at: offset, side, digests)
    packet.replaceSubrange(offset..<offset + digestSize, with: digest)
  }

  /// The digest of a signed packet; nil if the packet is not signed.
  static func findDigest(
    in packet: [UInt8], _ side: Side, _ digests: MessageDigests
  ) -> (scheme: Scheme, digest: [UInt8])? {
    guard packet.count == size, packet[4..<8].contains(where: { $0 != 0 }) else { return nil }
    for scheme in Scheme.allCases {
      let offset = scheme.digestOffset(in: packet)
      let found = Array(packet[offset..<offset + digestSize])
      if found == digest(of: packet, at: offset, side, digests) { return (scheme, found) }
    }
    return nil
  }

  private static func digest(
    of packet: [UInt8], at offset: Int, _ side: Side, _ digests: MessageDigests
  ) -> [UInt8] {
    fitted(digests.hmacSHA256(side.publicKey, Array(packet[..<offset] + packet[(offset + digestSize)...])))
  }

  /// The answer to a packet with `digest`: random bytes, signed.
  static func answer(
    to digest: [UInt8], _ side: Side, random: [UInt8], _ digests: MessageDigests
  ) -> [UInt8] {
    let packet = fitted(random, to: size - digestSize)
    return packet + fitted(digests.hmacSHA256(digests.hmacSHA256(side.key, digest), packet))
  }

  /// A first packet: time, version, random bytes.
  static func firstPacket(version: [UInt8], random: [UInt8]) -> [UInt8] {
    fitted([0, 0, 0, 0] + version + random, to: size)
  }

  /// Truncated or zero-padded.
  private static func fitted(_ bytes: [UInt8], to count: Int = digestSize) -> [UInt8] {
    Array((bytes + Array(repeating: 0, count: count)).prefix(count))
  }
}

/// The digests of handshakes and authentication, injected to keep the module free of libraries.
package struct MessageDigests: Sendable {
  package let md5: @Sendable (_ message: [UInt8]) -> [UInt8]
  package let hmacSHA256: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

  package init(
    md5: @escaping @Sendable (_ message: [UInt8]) -> [UInt8],
    hmacSHA256: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]
  ) {
    self.md5 = md5
    self.hmacSHA256 = hmacSHA256
  }
}
