import Foundation
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastPlatform

@Suite struct UnixListenerTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.file("run") }

  private func claim(_ name: String = "a.sock") throws -> UnixListener {
    try UnixListener(name, in: PrivateFolder(folder))
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  /// A socket file whose owner is gone.
  private func leaveSocket(_ path: String) throws {
    let raw = try check("socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
    let file = FileDescriptor(owning: raw)
    let address = try UnixSocketAddress(path: path)
    try check("bind") { address.withPointer { bind(file.raw, $0, $1) } }
  }

  @Test func `a socket and its folder are accessible to their user only`() throws {
    let listener = try claim()
    #expect(try mode(listener.path) == 0o600)
    #expect(try mode(folder) == 0o700)
  }

  @Test func `a socket's folder that others can read is closed to them`() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    _ = try PrivateFolder(folder)
    #expect(try mode(folder) == 0o700)
  }

  @Test func `another user's folder is refused for a socket`() throws {
    var others = "/usr"
    if geteuid() == 0 {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try #require(chown(folder, 65534, 65534) == 0)
      others = folder
    }
    #expect(throws: SystemError(operation: "\(others) belongs to another user", code: EPERM)) {
      _ = try PrivateFolder(others)
    }
  }

  @Test func `a link is refused as a folder in a shared place`() throws {
    _ = try PrivateFolder(folder)
    let link = folder + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    #expect(throws: SystemError.self) { _ = try PrivateFolder(link, isInSharedFolder: true) }
    #expect(throws: Never.self) { _ = try PrivateFolder(link) }
  }

  @Test func `a socket that a dead process left is replaced`() throws {
    _ = try PrivateFolder(folder)
    try leaveSocket(folder + "/a.sock")
    let listener = try claim()
    let connection = try UnixConnection(listener.path, until: .now + .seconds(5))
    #expect(connection.peer == PeerCredentials(process: getpid(), user: geteuid()))
  }

  @Test func `a socket that a running process holds is refused with its process ID`() throws {
    let listener = try claim()
    #expect(throws: UnixListener.ClaimError.taken(path: listener.path, process: getpid())) { _ = try claim() }
    #expect(throws: Never.self) { _ = try claim("b.sock") }
    #expect(throws: Never.self) { _ = try UnixConnection(listener.path, until: .now + .seconds(5)) }
  }

  @Test func `a running process with a full backlog is not taken for dead`() throws {
    let listener = try UnixListener("a.sock", in: PrivateFolder(folder), backlog: 0)
    let waiting = try UnixConnection(listener.path, until: .now + .seconds(5))
    #expect(throws: UnixListener.ClaimError.taken(path: listener.path, process: nil)) { _ = try claim() }
    #expect(waiting.peer.process == getpid())
  }

  @Test func `a file that is not a socket is left alone`() throws {
    _ = try PrivateFolder(folder)
    let path = folder + "/a.sock"
    try "x".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: UnixListener.ClaimError.noSocket(path: path)) { _ = try claim() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "x")
  }

  @Test func `a listener's end removes its socket file`() throws {
    do {
      let listener = try claim()
      try #require(fileExists(listener.path))
    }
    #expect(fileNames(in: folder) == [])
  }

  @Test func `a socket file that another process has replaced stays`() throws {
    do {
      let listener = try claim()
      try FileManager.default.moveItem(atPath: listener.path, toPath: folder + "/moved.sock")
      try "x".write(toFile: listener.path, atomically: true, encoding: .utf8)
    }
    #expect(fileNames(in: folder) == ["a.sock", "moved.sock"])
  }

  @Test func `only one of several simultaneous claims gets the socket's name`() throws {
    _ = try PrivateFolder(folder)
    for _ in 0..<20 {
      try leaveSocket(folder + "/a.sock")
      let held = Locked(0)
      let decided = Locked(0)
      // Threads of their own: each holds its listener until all have tried.
      let threads = [ThreadSlot(), ThreadSlot()]
      for thread in threads {
        try thread.start(name: "claim") { [folder] in
          let listener = try? UnixListener("a.sock", in: PrivateFolder(folder))
          if listener != nil { held.withLock { $0 += 1 } }
          decided.withLock { $0 += 1 }
          let deadline = MonotonicTime.now + .seconds(10)
          while decided.withLock({ $0 }) < threads.count, pauseBeforeRetry(until: deadline) {}
        }
      }
      for thread in threads { thread.join() }
      #expect(held.withLock { $0 } == 1)
    }
  }

  @Test func `a path that is too long for a socket address is refused`() throws {
    let name = String(repeating: "a", count: 100)
    let error = SystemError(operation: "socket \(folder)/\(name)", code: ENAMETOOLONG)
    #expect(throws: UnixListener.ClaimError.system(error)) { _ = try claim(name) }
  }
}
