import HoldfastMediaModel
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

@Suite struct MemberAbsencesTests {
  private var scene = WallScene()

  init() { scene.add(.media(0, at: 0)) }

  private func gap(_ id: Int, _ member: String?, at media: Double, _ length: Double) -> Gap {
    Gap(
      .source, id: id, wall: media...media + length, at: media, video: length, isFilled: true, member: member)
  }

  private func absences(of member: String, in name: String = WallScene.file) throws -> MemberAbsences {
    let journal = try scene.recordingJournal()
    let span = try #require(journal.span(of: "/r/" + name))
    return MemberAbsences(of: member, journal.path, journal.journal, span)
  }

  @Test(arguments: ["alice", nil, "é \"\n😀"])
  func `a gap's member is read back as written`(member: String?) {
    for entry in [JournalEntry.gap(gap(3, member, at: 1, 2)), .losing(gap(3, member, at: 1, 2))] {
      let record = JournalSample.record(3, entry)
      #expect(Journal(Array("\(record)\n".utf8)).records == [record])
    }
  }

  @Test func `a gap of a journal without members has none`() throws {
    let line = "\(JournalSample.record(3, .gap(gap(3, nil, at: 1, 2))))"
    let without = line.replacing(#","member":null"#, with: "")
    #expect(without != line && !without.contains("member"))
    #expect(Journal(Array("\(without)\n".utf8)).records.map(\.entry) == [.gap(gap(3, nil, at: 1, 2))])
  }

  @Test mutating func `a gap keeps its member when a start after a crash writes it again`() throws {
    scene.add(
      .entry(2, .losing(gap(1, "alice", at: 2, 0.5))), .entry(3, .losing(gap(2, "bob", at: 3, 0.5))),
      .media(4, at: 4))
    let found = try #require(UnfinishedBroadcast(scene.journal))
    #expect(found.cutLosses(at: .seconds(4)).map(\.member) == ["alice", "bob"])
    scene.add(.entry(5, .gap(gap(1, "alice", at: 2, 9))), .entry(30, .resumed(mediaAt: .seconds(4))))
    let gaps = GapMap(scene.journal).gaps
    #expect((gaps.map(\.member), gaps.map(\.lostVideo)) == (["alice"], [.seconds(2)]))
  }

  @Test mutating func `the absences of a member are listed in order, and no other gaps`() throws {
    scene.add(
      .entry(9, .gap(gap(2, "alice", at: 7, 2))), .entry(9, .gap(gap(3, "bob", at: 6, 2))),
      .entry(9, .gap(gap(4, nil, at: 6, 2))), .entry(9, .gap(gap(1, "alice", at: 1, 0.5))))
    let found = try absences(of: "alice")
    #expect(found.absences.map(\.gap.id) == [1, 2] && found.absences.allSatisfy(\.isOver))
    #expect(found.absences.map(\.at) == [.seconds(1), .seconds(7)])
    #expect(found.absences.map(\.from) == [1, 7].map { JournalSample.instant($0).wall })
    #expect(found.absences.map(\.to) == [1.5, 9].map { JournalSample.instant($0).wall })
    #expect(found.members == ["alice", "bob"])
    #expect(try absences(of: "carol").absences.isEmpty)
  }

  @Test mutating func `an absence whose end the journal does not know is not over`() throws {
    scene.add(.entry(3, .losing(gap(1, "alice", at: 2, 1))))
    #expect(try absences(of: "alice").absences.map(\.isOver) == [false])
    scene.add(.entry(5, .gap(gap(1, "alice", at: 2, 3))))
    #expect(try absences(of: "alice").absences.map(\.isOver) == [true])
  }

  @Test mutating func `absences have the wall time of the clock as it was set last`() throws {
    scene.add(.entry(4, .gap(gap(1, "alice", at: 2, 2))), .media(9, at: 9, step: 60))
    #expect(try absences(of: "alice").absences.map(\.from) == [JournalSample.instant(62).wall])
  }

  @Test mutating func `an absence is in the file that holds its media, after interruptions that this keeps`()
    throws
  {
    scene.add(
      .pause(at: 1, from: 1, to: 4), .file(WallScene.file, at: 4, origin: -3),
      .entry(6, .gap(gap(1, "alice", at: 2, 1))), .file(WallScene.second, at: 7, origin: 4),
      .entry(9, .gap(gap(2, "alice", at: 5, 1))))
    #expect(try absences(of: "alice").absences.map(\.at) == [.seconds(5), nil])
    #expect(try absences(of: "alice", in: WallScene.second).absences.map(\.at) == [nil, .seconds(1)])
  }
}
