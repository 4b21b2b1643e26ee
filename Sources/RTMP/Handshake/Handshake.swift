/// What both sides of the handshake have in common: its sizes, and the digests of its second form.
enum Handshake {
  static let size = 1536
  static let digestSize = 32
  static let version: UInt8 = 3

  /// Where a digest may stand: behind the time and version, or behind the part that a key exchange once used.
  enum Scheme: CaseIterable {
    case first, second

    private var base: Int {
      switch self {
      case .first: 8
      case .second: 772
      }
    }

    func digestOffset(in packet: [UInt8]) -> Int {
      packet[base..<base + 4].reduce(0) { $0 + Int($1) } % 728 + base + 4
    }
  }

  /// `publicPart` is what a first packet is signed with, the whole is for answers.
  struct Key {
    let bytes: [UInt8]
    let publicCount: Int

    var publicPart: [UInt8] { Array(bytes[..<publicCount]) }

    private init(_ name: String) {
      let tail: [UInt8] = [
        0xF0, 0xEE, 0xC2, 0x4A, 0x80, 0x68, 0xBE, 0xE8, 0x2E, 0x00, 0xD0, 0xD1, 0x02, 0x9E, 0x7E, 0x57,
        0x6E, 0xEC, 0x5D, 0x2D, 0x29, 0x80, 0x6F, 0xAB, 0x93, 0xB8, 0xE6, 0x36, 0xCF, 0xEB, 0x31, 0xAE,
      ]
      bytes = Array(name.utf8) + tail
      publicCount = name.utf8.count
    }

    static let client = Key("Genuine Adobe Flash Player 001")
    static let server = Key("Genuine Adobe Flash Media Server 001")
  }

  /// Signs `packet` in place.
  static func sign(_ packet: inout [UInt8], _ scheme: Scheme, _ key: Key, _ digests: MessageDigests) {
    let offset = scheme.digestOffset(in: packet)
    let digest = digest(of: packet, at: offset, key, digests)
    packet.replaceSubrange(offset..<offset + digestSize, with: digest)
  }

  /// The digest in a packet that the other side has signed; nil where it has not.
  static func findDigest(
    in packet: [UInt8], _ key: Key, _ digests: MessageDigests
  ) -> (scheme: Scheme, digest: [UInt8])? {
    guard packet.count == size, packet[4..<8].contains(where: { $0 != 0 }) else { return nil }
    for scheme in Scheme.allCases {
      let offset = scheme.digestOffset(in: packet)
      let found = Array(packet[offset..<offset + digestSize])
      if found == digest(of: packet, at: offset, key, digests) { return (scheme, found) }
    }
    return nil
  }

  private static func digest(
    of packet: [UInt8], at offset: Int, _ key: Key, _ digests: MessageDigests
  ) -> [UInt8] {
    fitted(digests.hmacSHA256(key.publicPart, Array(packet[..<offset] + packet[(offset + digestSize)...])))
  }

  /// The answer to a packet whose digest is `digest`: its end signs its beginning.
  static func answer(
    to digest: [UInt8], _ key: Key, random: [UInt8], _ digests: MessageDigests
  ) -> [UInt8] {
    var packet = Array(random.prefix(size - digestSize))
    packet += Array(repeating: 0, count: size - digestSize - packet.count)
    let signature = digests.hmacSHA256(digests.hmacSHA256(key.bytes, digest), packet)
    return packet + fitted(signature)
  }

  private static func fitted(_ digest: [UInt8]) -> [UInt8] {
    Array((digest + Array(repeating: 0, count: digestSize)).prefix(digestSize))
  }

  /// A first packet: a time, a version, and what is random.
  static func firstPacket(version: [UInt8], random: [UInt8]) -> [UInt8] {
    let packet = [0, 0, 0, 0] + version + random.prefix(size - 8)
    return packet + Array(repeating: 0, count: size - packet.count)
  }
}
