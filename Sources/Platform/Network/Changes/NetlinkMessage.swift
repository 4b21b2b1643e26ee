import HoldfastCPlatform

/// A netlink message about a network change.
enum NetlinkMessage: Hashable {
  case link(index: Int32, flags: UInt32)
  case linkRemoved(index: Int32)
  /// A tentative address is unusable while the kernel checks for duplicates.
  case address(isTentative: Bool)
  case addressRemoved
  case route(isKernelsOwn: Bool)
  case other(type: UInt16)

  /// The messages of a datagram, up to the first malformed one.
  static func parse(_ bytes: borrowing Span<UInt8>) -> [NetlinkMessage] {
    var messages: [NetlinkMessage] = []
    var offset = 0
    while bytes.count - offset >= headerSize {
      let length = Int(clamping: bytes.native(UInt32.self, at: offset))
      guard length >= headerSize, length <= bytes.count - offset else { break }
      let type = bytes.native(UInt16.self, at: offset + 4)
      messages.append(message(type, bytes.extracting(offset + headerSize..<offset + length)))
      offset = min(bytes.count, offset + (length + 3) & ~3)
    }
    return messages
  }

  private static let headerSize = 16

  private static func message(_ type: UInt16, _ body: borrowing Span<UInt8>) -> NetlinkMessage {
    switch Int(type) {
    case Int(RTM_NEWLINK) where body.count >= 16:
      .link(index: Int32(bitPattern: body.native(UInt32.self, at: 4)), flags: body.native(UInt32.self, at: 8))
    case Int(RTM_DELLINK) where body.count >= 16:
      .linkRemoved(index: Int32(bitPattern: body.native(UInt32.self, at: 4)))
    case Int(RTM_NEWADDR) where body.count >= 8:
      .address(isTentative: body[2] & UInt8(IFA_F_TENTATIVE) != 0)
    case Int(RTM_DELADDR) where body.count >= 8:
      .addressRemoved
    case Int(RTM_NEWROUTE) where body.count >= 12, Int(RTM_DELROUTE) where body.count >= 12:
      .route(
        isKernelsOwn: body[4] == UInt8(RT_TABLE_LOCAL.rawValue)
          || body.native(UInt32.self, at: 8) & UInt32(RTM_F_CLONED) != 0)
    default: .other(type: type)
    }
  }
}

extension Span<UInt8> {
  /// The number in native byte order at `offset`, which must be in bounds.
  fileprivate func native<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}

/// Detects network changes that may affect connections.
struct NetworkState {
  /// The IFF_UP and IFF_RUNNING flags of each link.
  private var links: [Int32: UInt32] = [:]

  /// Whether a route may have appeared or disappeared.
  mutating func isChange(_ message: NetlinkMessage) -> Bool {
    switch message {
    case .link(let index, let flags):
      // Links also report unrelated changes, such as a radio scan or a new name.
      let usable = flags & cp_IFF_UP_RUNNING
      return links.updateValue(usable, forKey: index) != usable
    case .linkRemoved(let index):
      links[index] = nil
      return true
    case .address(let isTentative): return !isTentative
    case .addressRemoved: return true
    case .route(let isKernelsOwn): return !isKernelsOwn
    case .other: return false
    }
  }
}
