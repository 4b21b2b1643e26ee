import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

/// What an X server's introduction and the session's authority file say.
@Suite struct XSetupTests {
  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private func reply(_ status: UInt8, _ detail: UInt8 = 0, _ rest: [UInt8]) -> [UInt8] {
    let padded = rest + [UInt8](repeating: 0, count: (4 - rest.count % 4) % 4)
    return [status, detail] + number(11, 2) + number(0, 2) + number(padded.count / 4, 2) + padded
  }

  /// An accepted connection to a server with these screens, each with three visuals in two depths.
  private func accepted(_ screens: [XSetup.Screen], vendor: String = "X.Org") -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16) + number(vendor.utf8.count, 2) + number(65_535, 2)
    bytes += [UInt8(screens.count), 2] + [UInt8](repeating: 0, count: 10)
    bytes += Array(vendor.utf8) + [UInt8](repeating: 0, count: (4 - vendor.utf8.count % 4) % 4)
    bytes += [UInt8](repeating: 7, count: 2 * 8)
    for screen in screens {
      bytes += [UInt8](repeating: 9, count: 20) + number(screen.size.width, 2) + number(screen.size.height, 2)
      bytes += [UInt8](repeating: 9, count: 14) + [UInt8(screen.depth), 2]
      for depth in [24, 32] {
        bytes += [UInt8(depth), 0] + number(3, 2) + [UInt8](repeating: 5, count: 4 + 3 * 24)
      }
    }
    return reply(1, 0, bytes)
  }

  private let screens = [
    XSetup.Screen(size: PictureSize(width: 1920, height: 1080), depth: 24),
    XSetup.Screen(size: PictureSize(width: 300, height: 200), depth: 8),
  ]

  @Test func `the screens of a server are read, once the reply is whole`() {
    for vendor in ["", "X.Org", "The X.Org Foundation"] {
      let bytes = accepted(screens, vendor: vendor)
      #expect(XSetup.reply(in: bytes) == .accepted(screens))
      for count in bytes.indices { #expect(XSetup.reply(in: Array(bytes[..<count])) == .incomplete) }
    }
  }

  @Test func `a refusal is read with its reason, made printable`() {
    let text = Array("No\tprotocol specified\n".utf8)
    #expect(XSetup.reply(in: reply(0, UInt8(text.count), text)) == .refused("No protocol specified"))
    #expect(XSetup.reply(in: reply(2, 0, Array("more, please".utf8))) == .refused("more, please"))
    #expect(XSetup.reply(in: reply(0, 255, [])) == .refused(""))
  }

  @Test func `no reply makes the reader fail, whatever a server sends`() {
    #expect(XSetup.reply(in: reply(9, 0, [1, 2, 3, 4])) == .malformed)
    #expect(XSetup.reply(in: reply(1, 0, [1, 2, 3, 4])) == .malformed)
    let bytes = accepted(screens)
    for index in bytes.indices {
      for value in [0, 1, 127, 255] as [UInt8] {
        var other = bytes
        other[index] = value
        if case .accepted(let found) = XSetup.reply(in: other) { #expect(found.count <= 255) }
      }
    }
  }

  @Test func `a request is padded, and carries the cookie if there is one`() {
    #expect(XSetup.request(cookie: nil) == [0x6C, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    let request = XSetup.request(cookie: [1, 2, 3, 4, 5])
    #expect(request.prefix(12) == [0x6C, 0, 11, 0, 0, 0, 18, 0, 5, 0, 0, 0])
    #expect(Array(request.dropFirst(12)) == Array("MIT-MAGIC-COOKIE-1\0\0".utf8) + [1, 2, 3, 4, 5, 0, 0, 0])
  }
}

@Suite struct XAuthorityTests {
  private func entry(
    _ family: Int, _ address: String, _ number: String, _ cookie: UInt8, method: String = "MIT-MAGIC-COOKIE-1"
  ) -> [UInt8] {
    func bytes(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    let fields: [[UInt8]] = [Array(address.utf8), Array(number.utf8), Array(method.utf8), [cookie]]
    return fields.reduce(bytes(family)) { $0 + bytes($1.count) + $1 }
  }

  @Test func `a display's cookie is that of its number and of this machine`() {
    let authority = XAuthority(
      entry(256, "other", "0", 1) + entry(256, "here", "1", 2) + entry(256, "here", "0", 3, method: "XDM")
        + entry(256, "here", "0", 4) + entry(0, "\u{1}\u{2}\u{3}\u{4}", "0", 5) + entry(256, "here", "", 6))
    #expect([0, 1, 7].map { authority.cookie(ofDisplay: $0, on: "here") } == [[4], [2], [6]])
    #expect([nil, "nowhere"].map { authority.cookie(ofDisplay: 0, on: $0) } == [[5], nil])
  }

  @Test func `an entry for any machine counts for all`() {
    let authority = XAuthority(entry(65_535, "", "0", 8))
    #expect(["here", nil].map { authority.cookie(ofDisplay: 0, on: $0) } == [[8], [8]])
  }

  @Test func `a file that is cut off counts as far as it is whole`() {
    let whole = entry(65_535, "", "0", 8)
    let second = entry(65_535, "", "1", 9)
    for count in second.indices {
      let authority = XAuthority(whole + second[..<count])
      #expect([0, 1].map { authority.cookie(ofDisplay: $0, on: nil) } == [[8], nil])
    }
    #expect(XAuthority([]).cookie(ofDisplay: 0, on: nil) == nil)
  }
}
