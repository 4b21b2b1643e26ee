import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// What a store finds at its path, and what it leaves there.
@Suite struct OpeningTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch.file("sessions.sqlite") }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func fault(_ path: String) -> SQLiteStoreFault? {
    failure { () throws(SQLiteStoreError) in try SQLiteStore.open(path).close() }?.kind
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
  }

  @Test func `a new store is its owner's alone, with its folder`() throws {
    let path = scratch.file("deep/state/sessions.sqlite")
    let store = try SQLiteStore.open(path)
    var hub = store
    try hub.join()
    for file in [path, path + "-wal", path + "-shm"] { #expect(try permissions(file) == 0o600, "\(file)") }
    #expect(try permissions(scratch.file("deep")) == 0o700)
    #expect(try permissions(scratch.file("deep/state")) == 0o700)
    store.close()
  }

  @Test func `a store that others may read is taken from them`() throws {
    try SQLiteStore.open(path).close()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try SQLiteStore.open(path).close()
    #expect(try permissions(path) == 0o600)
  }

  @Test func `a second hub is told who has the file, and what several hubs need`() throws {
    let store = try SQLiteStore.open(path)
    let error = try #require(throws: SQLiteStoreError.self) { try SQLiteStore.open(path) }
    #expect(error.what == "another hub has \(path) open (process \(getpid()))")
    #expect(error.hint.contains("--store redis://"))
    store.close()
    #expect(fault(path) == nil)
  }

  @Test func `a second hub can't open the file by a link`() throws {
    let link = scratch.file("link.sqlite")
    let store = try SQLiteStore.open(path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(fault(link) == .inUse)
    store.close()
  }

  @Test func `another program's database is refused and stays as it is`() throws {
    let path = try scratch.write("", to: "other.sqlite")
    do {
      let other = try SQLiteConnection(path, .writing)
      try other.execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(fault(path) == .foreign)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try names() == ["other.sqlite", "other.sqlite.lock"])
  }

  @Test(arguments: ["", "x", String(repeating: "no database ", count: 1000)])
  func `what is no database is refused and stays as it is`(text: String) throws {
    let path = try scratch.write(text, to: "notes.txt")
    #expect(fault(path) == .foreign)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(try names() == ["notes.txt", "notes.txt.lock"])
  }

  @Test func `a log without its store is not taken for a new store's`() throws {
    _ = try scratch.write("log", to: "sessions.sqlite-wal")
    #expect(fault(path) == .foreignLog)
    #expect(try names() == ["sessions.sqlite-wal", "sessions.sqlite.lock"])
  }

  @Test func `what a killed hub has begun to create is created anew`() throws {
    _ = try scratch.write("half", to: UnfinishedFile.path(for: "sessions.sqlite"))
    #expect(fault(path) == nil)
    #expect(try names() == ["sessions.sqlite", "sessions.sqlite.lock"])
  }

  @Test func `an epoch begins with the file, with nothing to forget, and lasts as long`() throws {
    var store = try TestStore()
    let epoch = Session.Epoch(number: 1_800_000_000_000)
    #expect(try store.load(.hall, asking: nil).session.epoch == epoch)
    store.pass(.seconds(5))
    try store.reopen()
    #expect(try store.load(.hall, asking: nil).session.epoch == epoch)
  }

  @Test func `a closed store says so`() throws {
    var store = try TestStore()
    let lease = try store.join()
    store.store.close()
    #expect(throws: (any Error).self) { try store.load(.hall, asking: nil) }
    #expect(throws: (any Error).self) { try store.beat(lease, statistics: nil, in: .hall) }
  }
}
