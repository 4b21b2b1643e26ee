import Foundation
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastRTMP
import HoldfastTesting
import TestSupport
import TestTraits
import Testing

/// What players get.
@Suite(.realTime) struct PlayingTests {
  private let folder = ScratchFolder()
  private let server: LocalServer

  init() throws {
    let folder = folder
    server = try LocalServer { ($0.directory, $0.playerTimeout) = (folder.path, .seconds(20)) }
  }

  @Test func `several players at once get both tracks, and end with the publisher`() throws {
    let publisher = try TestPublisher.answered(server.url("cam"), .live)
    let players = try (1...3).map {
      try RunningTool.player(server.url("cam"), into: folder.file("\($0).flv"))
    }
    var playing: Set<String> = []
    let last = server.wait { event in
      if case .playing(_, let peer) = event { playing.insert(peer) }
      return playing.count == players.count
    }
    #expect(last != nil)
    try publisher.finish(with: Fixture.h264AndAAC())
    for (index, player) in players.enumerated() {
      #expect(player.result().status == 0)
      let streams = try Tool.probe(folder.file("\(index + 1).flv"), count: true)
      #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
      #expect(Int(streams.first?["nb_read_packets"] ?? "") == 50)
    }
  }

  @Test func `a player that joins late starts with the last keyframe`() throws {
    let publisher = try RunningTool.publisher(server.url("cam"), seconds: 5)
    #expect(server.waitForReport(of: "cam") { ($0.video?.packets ?? 0) >= 40 } != nil)
    let player = try RunningTool.player(server.url("cam"), into: folder.file("late.flv"))
    #expect((player.result().status, publisher.result().status) == (0, 0))
    let flags = try Tool.probe(folder.file("late.flv"), "packet=flags", of: "v")
    #expect(flags.first?.first?.hasPrefix("K") == true)
    // It joined after the second keyframe, and got more than what was still to come.
    #expect((70...100).contains(flags.count))
  }

  @Test func `a player and a recording of the same stream both get everything`() throws {
    let player = try RunningTool.player(server.url("cam"), into: folder.file("played.flv"))
    let publisher = try TestPublisher.answered(server.url("cam"), .record)
    #expect(server.wait { if case .playing = $0 { true } else { false } } != nil)
    try publisher.finish(with: Fixture.h264AndAAC())
    #expect(server.waitForEnd(of: "cam") != nil && player.result().status == 0)
    for path in [folder.file("played.flv"), folder.file("cam.flv")] {
      let streams = try Tool.probe(path, count: true)
      #expect(streams.map { $0["codec_name"] } == ["h264", "aac"])
      #expect(streams.first?["nb_read_packets"] == "50")
    }
  }

  @Test func `a player may connect before its publisher`() throws {
    let player = try RunningTool.player(server.url("cam"), into: folder.file("early.flv"))
    let publisher = try RunningTool.publisher(server.url("cam"), seconds: 2)
    #expect((player.result().status, publisher.result().status) == (0, 0))
    #expect(try Tool.probe(folder.file("early.flv")).count == 2)
  }

  @Test func `a player of a missing stream is refused after a timeout`() throws {
    let impatient = try LocalServer { $0.playerTimeout = .milliseconds(100) }
    let player = try RunningTool.player(impatient.url("cam"), into: folder.file("none.flv"))
    #expect(player.result().status != 0)
    #expect(
      impatient.events.contains { event in
        if case .refused(_, "cam", .notFound) = event { true } else { false }
      })
  }

  @Test func `a player that stops reading is cut off without blocking others`() throws {
    let slow = try LocalServer { configuration in
      configuration.playerBacklog = 256 << 10
      configuration.silenceTimeout = .seconds(3)
      configuration.playerTimeout = .seconds(20)
    }
    // It asks to play, and never reads what it gets.
    let frozen = try RunningTool.player(slow.url("cam"), into: folder.file("frozen.flv"))
    let publisher = try RunningTool.publisher(slow.url("cam"), seconds: 12, bitrate: "20M")
    #expect(slow.wait { if case .playing = $0 { true } else { false } } != nil)
    frozen.signal(SIGSTOP)
    let well = try RunningTool.player(slow.url("cam"), into: folder.file("well.flv"))
    #expect(slow.wait { if case .cutOff = $0 { true } else { false } } != nil)
    #expect((publisher.result().status, well.result().status) == (0, 0))
    let video = try #require(try PacketTimes(path: folder.file("well.flv")).tracks[.video])
    #expect(video.packets > 250 && video.longestStep < 50, "\(video)")
  }

  @Test func `HEVC and Opus are passed on to players`() throws {
    let publisher = try TestPublisher.answered(server.url("cam"), .live, codecs: [.hevc, .opus])
    let player = try TestPlayer.playing(server.url("cam"))
    try publisher.finish(with: Fixture.hevcAndOpus())
    try player.readToEnd()
    #expect((player.codecs, player.packets(of: .video)) == ([.hevc, .opus], 50))
    #expect(player.packets(of: .audio) > 90)
  }
}
