import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct MemberAbsencesTests {
  private func gap(_ id: Int, _ member: String?, at media: Double, _ length: Double) -> Gap {
    Gap(
      .source, id: id, wallFrom: JournalSample.instant(media).wall,
      wallTo: JournalSample.instant(media + length).wall, mediaAt: MediaTime(seconds: media),
      lostVideo: MediaTime(seconds: length), isFilled: true, member: member)
  }

  private func absences(
    of member: String, in name: String = WallScene.file, _ scene: WallScene
  ) throws -> MemberAbsences {
    let folder = ScratchFolder()
    let text = String(decoding: JournalSample.bytes(scene.records), as: UTF8.self)
    let journal = try RecordingJournal(path: try folder.write(text, to: "j.jsonl"))
    let span = try #require(journal.span(of: "/r/" + name))
    return MemberAbsences(of: member, journal.path, journal.journal, span)
  }

  @Test(arguments: ["alice", nil, "é \"\n😀"])
  func `a gap's member is read back as written`(member: String?) {
    for entry in [JournalEntry.gap(gap(3, member, at: 1, 2)), .losing(gap(3, member, at: 1, 2))] {
      let record = JournalRecord(at: JournalSample.instant(3), entry)
      #expect(Journal(Array("\(record)\n".utf8)).records == [record])
    }
  }

  @Test func `a gap of a journal without members has none`() throws {
    let line = "\(JournalRecord(at: JournalSample.instant(3), .gap(gap(3, nil, at: 1, 2))))"
    let without = line.replacing(#","member":null"#, with: "")
    #expect(without != line && !without.contains("member"))
    #expect(Journal(Array("\(without)\n".utf8)).records.map(\.entry) == [.gap(gap(3, nil, at: 1, 2))])
  }

  @Test func `a gap keeps its member when a start after a crash writes it again`() throws {
    var scene = WallScene()
    scene.addMedia(0, at: 0)
    scene.add(2, .losing(gap(1, "alice", at: 2, 0.5)))
    scene.add(3, .losing(gap(2, "bob", at: 3, 0.5)))
    scene.addMedia(4, at: 4)
    let found = try #require(UnfinishedBroadcast(scene.journal))
    #expect(found.cutLosses(at: .seconds(4)).map(\.member) == ["alice", "bob"])
    scene.add(5, .gap(gap(1, "alice", at: 2, 9)))
    scene.add(30, .resumed(mediaAt: .seconds(4)))
    #expect(GapMap(scene.journal).gaps.map(\.member) == ["alice"])
    #expect(GapMap(scene.journal).gaps.map(\.lostVideo) == [.seconds(2)])
  }

  @Test func `the absences of a member are listed in order, and no other gaps`() throws {
    var scene = WallScene()
    scene.addMedia(0, at: 0)
    scene.add(9, .gap(gap(2, "alice", at: 7, 2)))
    scene.add(9, .gap(gap(3, "bob", at: 6, 2)))
    scene.add(9, .gap(gap(4, nil, at: 6, 2)))
    scene.add(9, .gap(gap(1, "alice", at: 1, 0.5)))
    let found = try absences(of: "alice", scene)
    #expect(found.absences.map(\.gap.id) == [1, 2] && found.absences.allSatisfy(\.isOver))
    #expect(found.absences.map(\.at) == [.seconds(1), .seconds(7)])
    #expect(found.absences.map(\.from) == [1, 7].map { JournalSample.instant($0).wall })
    #expect(found.absences.map(\.to) == [1.5, 9].map { JournalSample.instant($0).wall })
    #expect(found.members == ["alice", "bob"])
    #expect(try absences(of: "carol", scene).absences.isEmpty)
  }

  @Test func `an absence whose end the journal does not know is not over`() throws {
    var scene = WallScene()
    scene.addMedia(0, at: 0)
    scene.add(3, .losing(gap(1, "alice", at: 2, 1)))
    #expect(try absences(of: "alice", scene).absences.map(\.isOver) == [false])
    scene.add(5, .gap(gap(1, "alice", at: 2, 3)))
    #expect(try absences(of: "alice", scene).absences.map(\.isOver) == [true])
  }

  @Test func `absences have the wall time of the clock as it was set last`() throws {
    var scene = WallScene()
    scene.addMedia(0, at: 0)
    scene.add(4, .gap(gap(1, "alice", at: 2, 2)))
    scene.addMedia(9, at: 9, step: 60)
    #expect(try absences(of: "alice", scene).absences.map(\.from) == [JournalSample.instant(62).wall])
  }

  @Test func `an absence is in the file that holds its media, after interruptions that this keeps`() throws {
    var scene = WallScene()
    scene.addMedia(0, at: 0)
    scene.addPause(at: 1, from: 1, to: 4)
    scene.add(4, .recording(path: "/r/" + WallScene.file, tracks: "ab12", origin: .seconds(-3)))
    scene.add(6, .gap(gap(1, "alice", at: 2, 1)))
    scene.add(7, .recording(path: "/r/" + WallScene.second, tracks: "ab12", origin: .seconds(4)))
    scene.add(9, .gap(gap(2, "alice", at: 5, 1)))
    #expect(try absences(of: "alice", scene).absences.map(\.at) == [.seconds(5), nil])
    #expect(try absences(of: "alice", in: WallScene.second, scene).absences.map(\.at) == [nil, .seconds(1)])
  }
}
