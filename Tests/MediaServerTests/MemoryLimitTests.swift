import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// The memory of the server's process, whatever its clients do.
@Suite(.realTime) struct MemoryLimitTests {
  private let folder = ScratchFolder()
  private static let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

  @Test(.enabled(if: !isSanitized, "the address sanitizer keeps what is freed"))
  func `players that read nothing take no more memory than the limit, and nothing from the publisher`()
    throws
  {
    let server = try ServeProcess(in: folder)
    let publisher = try TestPublisher.answered(server.address, .live)
    let players = try (0..<28).map { _ in try TestPlayer.playing(server.address) }
    try publisher.send(pictures: 60, of: 1_000_000, like: Fixture.h264AndAAC())
    let peak = try #require(ProcessFigures(of: server.identifier)).peakKilobytes
    #expect(peak < 256 << 10)
    _ = try TestPlayer.playing(server.address)
    server.finish()
    withExtendedLifetime(players) {}
  }
}
