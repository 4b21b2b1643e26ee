import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct JournalFolderTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch.file("hall") }

  private func open() throws -> JournalFolder { try JournalFolder(name: "hall", path: path) }

  /// Writes the journal of a broadcast that was live.
  private func write(
    _ id: String, in folder: JournalFolder, at instant: JournalInstant = .now(), ending: [JournalEntry] = []
  ) throws {
    var writer = try folder.begin(id)
    let entries = [.began(.init(broadcast: id, name: "hall")), .live(.record)] + ending
    for entry in entries { try writer.write(entry, at: instant) }
  }

  private func openingError() -> JournalError? { #expect(throws: JournalError.self) { try open() } }

  @Test(arguments: [
    (
      ["STATE_DIRECTORY": "/var/lib/holdfast", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/var/lib/holdfast/hall"
    ),
    (["STATE_DIRECTORY": "/var/lib/holdfast:/var/lib/other"], "/var/lib/holdfast/hall"),
    (["STATE_DIRECTORY": "", "XDG_STATE_HOME": "/x/", "HOME": "/h"], "/x/holdfast/hall"),
    (["STATE_DIRECTORY": "relative", "XDG_STATE_HOME": "/x"], "/x/holdfast/hall"),
    (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/holdfast/hall"),
    (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/holdfast/hall"),
    (["HOME": "/"], "/.local/state/holdfast/hall"),
  ])
  func `the environment decides the journal's folder`(environment: [String: String], path: String) throws {
    #expect(try JournalPath.resolve(name: "hall", environment: environment) == path)
  }

  private func refusal(_ name: String, _ environment: [String: String]) -> JournalError? {
    #expect(throws: JournalError.self) { try JournalPath.resolve(name: name, environment: environment) }
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative", "XDG_STATE_HOME": ""]])
  func `a missing state folder names the variable to set`(environment: [String: String]) {
    let error = refusal("hall", environment)
    #expect(error?.kind == .noFolder && error?.hint.contains("HOME") == true)
  }

  @Test(arguments: ["", ".", "..", "../other", "a/b", ".hidden", "a\0b", String(repeating: "x", count: 200)])
  func `a name cannot lead out of the journal's folder`(name: String) {
    #expect(refusal(name, ["HOME": "/h"])?.kind == .badName)
  }

  @Test func `the journal's folder is created where the environment says`() throws {
    let folder = try JournalFolder(name: "hall", environment: ["XDG_STATE_HOME": scratch.path])
    #expect(folder.path == scratch.file("holdfast/hall"))
  }

  @Test(arguments: [false, true])
  func `the journal's folder is private, even if it was open to others before`(isThere: Bool) throws {
    if isThere {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }
    let folder = try open()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a second holder of a broadcast's name is refused, and told the first one's process`() throws {
    let first = try open()
    let error = openingError()
    #expect(error?.kind == .inUse && error?.what.contains("process \(getpid())") == true)
    withExtendedLifetime(first) {}
  }

  @Test func `a lock applies to one name, and is free when its holder is gone`() throws {
    do {
      let first = try open()
      #expect(throws: Never.self) { try JournalFolder(name: "yard", path: scratch.file("yard")) }
      withExtendedLifetime(first) {}
    }
    #expect(throws: Never.self) { try open() }
  }

  @Test func `the lock lasts as long as a journal is written`() throws {
    var writer = try open().begin("a")
    #expect(openingError()?.kind == .inUse)
    try writer.write(.backgrounded)
  }

  @Test func `a folder that cannot be created is an error that names it`() throws {
    let file = try scratch.write("", to: "file")
    let error = #expect(throws: JournalError.self) { try JournalFolder(name: "hall", path: "\(file)/hall") }
    #expect(error?.kind == .system && error?.what.contains(file) == true)
  }

  @Test func `the last twenty journals are kept, and a new one even if its id sorts first`() throws {
    let folder = try open()
    for number in 10..<35 { _ = try folder.begin("id-\(number)") }
    #expect(try folder.broadcasts() == (15..<35).map { "id-\($0)" })
    _ = try folder.begin("1970")
    #expect(try folder.broadcasts() == ["1970"] + (16..<35).map { "id-\($0)" })
  }

  @Test func `a broadcast's id cannot be used twice`() throws {
    let folder = try open()
    _ = try folder.begin("a")
    #expect(throws: JournalError.self) { _ = try folder.begin("a") }
  }

  @Test func `unfinished journals are found, the latest first`() throws {
    let folder = try open()
    let now = JournalInstant.now()
    let before = JournalInstant(
      wall: now.wall + .seconds(3600), sinceBoot: now.sinceBoot, bootID: "an earlier boot")
    let later = JournalInstant(
      wall: now.wall - .seconds(3600), sinceBoot: now.sinceBoot + .seconds(1), bootID: now.bootID)
    try write("b", in: folder, at: now)
    try write("c", in: folder, at: later)
    try write("a", in: folder, at: before)
    try write("d", in: folder, at: now, ending: [.ended(.init(reason: "stopped"))])
    _ = try folder.begin("e")
    #expect(try folder.contents().unfinished.map(\.id) == ["c", "b", "a"])
  }

  @Test(arguments: ["", "garbage\n", #"{"event":"#])
  func `an empty or damaged journal is told once, and kept`(text: String) throws {
    let folder = try open()
    try replaceFile("\(folder.path)/a.jsonl", by: Array(text.utf8))
    var problems: [String] = []
    _ = try folder.contents { problems.append("\($0)") }
    #expect(problems.map { $0.contains(text.isEmpty ? "is empty" : "is damaged") } == [true], "\(problems)")
    #expect(fileExists("\(folder.path)/a.jsonl.damaged"))
    _ = try folder.contents { problems.append("\($0)") }
    #expect(problems.count == 1)
  }

  @Test func `an unreadable journal is reported, and does not affect others`() throws {
    let folder = try open()
    try createDirectory("\(folder.path)/broken.jsonl")
    try write("whole", in: folder)
    var problems: [JournalError] = []
    let found = try folder.contents { problems.append($0) }
    #expect((found.unfinished.map(\.id), problems.count) == (["whole"], 1))
  }

  @Test func `an end is unreported until the journal says that it was reported`() throws {
    let folder = try open()
    let ending = JournalEntry.Ending(reason: "stopped", duration: .seconds(9), gaps: 2)
    try write("a", in: folder, ending: [.ended(ending)])
    try write("b", in: folder, ending: [.ended(ending), .reported])
    try write("c", in: folder, ending: [.ended(.init(reason: "stopped"))])
    let found = try folder.contents()
    #expect(found.unreported.map(\.broadcast) == ["a"], "earlier versions, as in c, did not say")
    #expect((found.unreported.first?.ending, found.ends.count, found.unfinished) == (ending, 3, []))
  }

  @Test
  func `a broadcast of another process is resumed where that one was, with the worker's absence as cause`()
    throws
  {
    let now = JournalInstant.now()
    try open().takeOver("b", at: .seconds(30), since: now - .seconds(6))
    let found = try #require(try open().contents().unfinished.first)
    #expect(found.id == "b" && found.mediaTime == .seconds(30) && found.recordingPath == nil)
    #expect(found.interruption?.cause == "worker" && found.interruption?.mediaAt == .seconds(30))
    #expect(found.instant(of: .seconds(30)) == now - .seconds(6))
    let plan = Recovery([found], .init(now: now, window: .seconds(1), policy: .resume))
    #expect(plan.resumed == found && plan.offAir == nil)
  }

  @Test
  func
    `a broadcast that is unfinished here is not taken over a second time, one that has ended has a successor`()
    throws
  {
    let now = JournalInstant.now()
    try open().takeOver("b", at: .seconds(30), since: now)
    try open().takeOver("b", at: .seconds(99), since: now)
    #expect(try open().broadcasts() == ["b"])
    #expect(try open().contents().unfinished.map(\.mediaTime) == [.seconds(30)])

    do {
      var writer = try open().resume("b")
      try writer.write(.ended(.init(reason: "failed")))
    }
    try open().takeOver("b", at: .seconds(40), since: .now())
    let contents = try open().contents()
    #expect(contents.unfinished.map(\.id) == ["b-2"])
    let plan = Recovery(
      contents.unfinished, ends: contents.ends, .init(now: .now(), window: .seconds(1), policy: .resume))
    #expect(plan.resumed?.mediaTime == .seconds(40))
  }
}
