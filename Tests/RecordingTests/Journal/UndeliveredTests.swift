import HoldfastMediaModel
import HoldfastRecording
import Testing

/// What outputs had not delivered when a process died.
@Suite struct UndeliveredTests {
  /// At 10 s, 7.5 s of video and 8 s of audio are delivered to the output `a`.
  private static let behind = JournalEntry.checkpoint(
    .seconds(9), behind: ["a": [.video: .milliseconds(7500), .audio: .seconds(8)]])

  /// The gaps after these entries, one each second from the tenth on, at the end of the recording.
  private func cut(_ entries: [JournalEntry], at end: MediaTime = .seconds(9)) throws -> [Gap] {
    let timed = entries.enumerated().map { (Double(10 + $0.offset), $0.element) }
    return try JournalSample.unfinished(timed).cutLosses(at: end)
  }

  private func gap(id: Int, output: String? = "a", at second: Double, video: Double) -> Gap {
    Gap(.network, id: id, output: output, wall: 1...2, at: second, video: video)
  }

  @Test func `what an output has not delivered at a crash is its gap, up to the end of the recording`() throws
  {
    let gaps = try cut([Self.behind], at: .milliseconds(9200))
    let expected = Gap(.crash, id: 1, output: "a", wall: 8.5...10.2, at: 7.5, video: 1.7, audio: 1.2)
    #expect(gaps == [expected])
  }

  @Test func `the gap of an output begins with the first missing picture, not with sound from before it`()
    throws
  {
    let late = ["a": [TrackKind.video: MediaTime.seconds(8), .audio: .milliseconds(7900)]]
    let gaps = try cut([.checkpoint(.seconds(9), behind: late)])
    #expect((gaps.map(\.mediaAt), gaps.map(\.lostAudio)) == ([.seconds(8)], [.milliseconds(1100)]))
  }

  @Test func `a recording that ends before an output's delivery has no gap`() throws {
    #expect(try cut([Self.behind], at: .milliseconds(7500)).isEmpty)
    let sound = try cut([.checkpoint(.seconds(9), behind: ["a": [.audio: .seconds(8)]])])
    #expect(sound.map(\.lostVideo) == [.zero] && sound.map(\.lostAudio) == [.seconds(1)])
    #expect(sound.map(\.mediaAt) == [.seconds(8)])
  }

  @Test(
    arguments: [
      .checkpoint(.seconds(9)), .interrupted("user", at: 9), .resumed(mediaAt: .seconds(9)),
    ] as [JournalEntry])
  func `an output that has caught up, or lost the rest, has no gap`(entry: JournalEntry) throws {
    #expect(try cut([Self.behind, entry]).isEmpty)
  }

  @Test func `a start that dies before it has written the gap leaves it to the next one`() throws {
    let crash = JournalEntry.interrupted("crash", at: 9)
    let gaps = try cut([Self.behind, crash])
    #expect(gaps.count == 1)
    #expect(try cut([Self.behind, crash, .gap(try #require(gaps.first))]).isEmpty)
  }

  @Test func `what a gap already tells is not told twice`() throws {
    let dropped = gap(id: 4, at: 8, video: 0.5)
    let others = [gap(id: 5, output: "b", at: 8, video: 1), gap(id: 6, at: 2, video: 1)]
    let gaps = try cut([.gap(dropped)] + others.map(JournalEntry.gap) + [Self.behind])
    #expect(gaps.map(\.lostVideo) == [.seconds(1)] && gaps.map(\.extent) == [.milliseconds(1500)])
    let all = gap(id: 7, at: 7.5, video: 100)
    #expect(try cut([Self.behind, .gap(all)]).map(\.lostVideo) == [.zero])
  }

  @Test(arguments: [(8.5, [2, 3], 1.0), (7, [2], nil)] as [(Double, [Int], Double?)])
  func `an open loss of the output is the rest`(since: Double, ids: [Int], video: Double?) throws {
    let gaps = try cut([.losing(gap(id: 2, at: since, video: 0.1)), Self.behind])
    #expect((gaps.map(\.id), gaps.first { $0.cause == .crash }?.lostVideo.seconds) == (ids, video))
  }

  @Test func `its id is greater than those of all gaps and interruptions`() throws {
    let entries: [JournalEntry] = [
      .interrupted("user", at: 1), .resumed(mediaAt: .seconds(1)),
      .gap(gap(id: 5, output: nil, at: 2, video: 1)),
      .checkpoint(.seconds(9), behind: ["a": [.video: .seconds(8)], "b": [.audio: .seconds(8)]]),
    ]
    #expect(try cut(entries).map(\.id) == [7, 8])
  }

  @Test func `damaged values do no harm`() throws {
    let longest = MediaTime(nanoseconds: 1 << 61)
    let lost = Gap(
      .network, id: Int(Int32.max), output: "a", wallFrom: JournalSample.instant(1).wall,
      wallTo: JournalSample.instant(2).wall, mediaAt: .zero, lostVideo: longest)
    let gaps = [JournalEntry](repeating: .gap(lost), count: 9)
    let journal = gaps + [JournalEntry.checkpoint(longest, behind: ["a": [.video: .zero], "b": [:]])]
    #expect(try cut(journal, at: longest).isEmpty)
  }
}
