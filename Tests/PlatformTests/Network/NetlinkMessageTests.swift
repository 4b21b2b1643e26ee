import Testing

@testable import HoldfastPlatform

@Suite struct NetlinkMessageTests {
  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let kind = [UInt8(truncatingIfNeeded: type), UInt8(truncatingIfNeeded: type >> 8), 0, 0]
    return little(UInt32(16 + body.count)) + kind + little(1) + little(0) + body + padding
  }

  private static func link(_ type: UInt16, index: UInt32, flags: UInt32) -> [UInt8] {
    message(type, [0, 0, 1, 0] + little(index) + little(flags) + little(.max))
  }

  private static func address(_ type: UInt16, flags: UInt8) -> [UInt8] {
    message(type, [2, 24, flags, 0] + little(3) + [8, 0, 1, 0, 192, 0, 2, 1])
  }

  private static func route(_ type: UInt16, table: UInt8, flags: UInt32) -> [UInt8] {
    message(type, [2, 0, 0, 0, table, 3, 0, 1] + little(flags))
  }

  private func parse(_ bytes: [UInt8]) -> [NetlinkMessage] { NetlinkMessage.parse(bytes.span) }

  @Test(
    arguments: [
      (link(16, index: 7, flags: 0x11043), .link(index: 7, flags: 0x11043)),
      (link(17, index: 7, flags: 0), .linkRemoved(index: 7)),
      (address(20, flags: 0x80), .address(isTentative: false)),
      (address(20, flags: 0x40), .address(isTentative: true)), (address(21, flags: 0x80), .addressRemoved),
      (route(24, table: 254, flags: 0), .route(isKernelsOwn: false)),
      (route(25, table: 255, flags: 0), .route(isKernelsOwn: true)),
      (route(24, table: 254, flags: 0x200), .route(isKernelsOwn: true)),
    ] as [([UInt8], NetlinkMessage)])
  func `messages about links, addresses and routes are parsed`(bytes: [UInt8], message: NetlinkMessage) {
    #expect(parse(bytes) == [message])
  }

  @Test func `several netlink messages in one datagram are parsed, each aligned to four bytes`() {
    let bytes = Self.message(3, [1]) + Self.address(21, flags: 0) + Self.message(9, [])
    #expect(parse(bytes) == [.other(type: 3), .addressRemoved, .other(type: 9)])
  }

  @Test func `a truncated netlink message ends the list, and earlier ones are kept`() {
    let whole = Self.link(16, index: 1, flags: 1)
    for end in 0..<whole.count { #expect(parse(whole + whole[..<end]) == [.link(index: 1, flags: 1)]) }
  }

  @Test(arguments: [16, 17, 20, 21, 24, 25] as [UInt16])
  func `a netlink message's body that is too short is not read`(type: UInt16) {
    for count in 0..<8 {
      #expect(parse(Self.message(type, [UInt8](repeating: 0xFF, count: count))) == [.other(type: type)])
    }
  }

  @Test(arguments: [0, 1, 15, 17, 1000, .max] as [UInt32])
  func `an impossible netlink message length ends the list`(length: UInt32) {
    #expect(parse(Self.little(length) + [UInt8](repeating: 0, count: 12)) == [])
  }
}

@Suite struct NetworkStateTests {
  private static let link = NetlinkMessage.link(index: 1, flags: 0x41)

  @Test(
    arguments: [
      // A link that only reports itself, as after a scan, is no change.
      ([link, .link(index: 1, flags: 0x1041), .link(index: 1, flags: 0x01)], [true, false, true]),
      ([link, .linkRemoved(index: 1), link], [true, true, true]),
      // An address counts once it can be used, and when it goes.
      ([.address(isTentative: true), .address(isTentative: false), .addressRemoved], [false, true, true]),
      // The kernel's own routes are no change, and neither is what is unknown.
      ([.route(isKernelsOwn: true), .route(isKernelsOwn: false), .other(type: 28)], [false, true, false]),
    ] as [([NetlinkMessage], [Bool])])
  func `a netlink message is a change if a route may have appeared or disappeared`(
    messages: [NetlinkMessage], changes: [Bool]
  ) {
    var state = NetworkState()
    #expect(messages.map { state.isChange($0) } == changes)
  }
}
