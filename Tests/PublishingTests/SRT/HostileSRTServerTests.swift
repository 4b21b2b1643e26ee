import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The sink against listeners that mean harm.
@Suite(.realTime) struct HostileSRTServerTests {
  private let media: EncodedMedia

  init() throws { media = try EncodedMedia.usual.get() }

  @Test func `a listener that keeps to the protocol is accepted, with a large flow window, too`() throws {
    for window: UInt32 in [8192, 1 << 17] {
      let server = try HostileSRTServer(.announcesWindow(window))
      try SRTRun(server.url).open(media.tracks)
      // It counts once it has answered.
      #expect(eventually { server.connections > 0 })
    }
  }

  @Test(arguments: [1 << 17 + 1, 20_000_000, 0x7FFF_FFFF, 0x8000_0000, UInt32.max] as [UInt32])
  func `a flow window that would take much memory is not accepted`(window: UInt32) throws {
    let server = try HostileSRTServer(.announcesWindow(window))
    let error = #expect(throws: SinkError.self) {
      try SRTRun(server.url).open(media.tracks, within: .seconds(2))
    }
    #expect(error?.kind == .timedOut)
    #expect(server.connections > 0)
  }
}
