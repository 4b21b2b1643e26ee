import Foundation
import Glibc
import TestSupport

/// A program that takes SRT connections, one after the other, and writes what they bring into one file.
final class SRTListener: Sendable {
  let port: UInt16
  let path: String
  private let process: Process
  private let errors: String
  private let folder: ScratchFolder

  /// Far more than it should ever take, also on a machine that is busy.
  static let patience: TimeInterval = 30

  /// `arguments` stand in the listener's own address.
  init(arguments: String = "", port: UInt16 = freeUDPPort()) throws {
    self.port = port
    folder = try ScratchFolder()
    path = folder.file("out.ts")
    errors = folder.file("errors")
    process = try Self.start(
      [
        "srt-live-transmit", "-a:yes", "-v", "srt://127.0.0.1:\(port)?mode=listener\(arguments)",
        "file://con",
      ],
      output: path, errors: errors)
  }

  /// An ffmpeg that takes one connection and ends with it; `container` is what it writes.
  init(ffmpegWriting container: String) throws {
    port = freeUDPPort()
    folder = try ScratchFolder()
    path = folder.file("out.\(container)")
    errors = folder.file("errors")
    process = try Self.start(
      [
        "ffmpeg", "-v", "error", "-nostdin", "-i", "srt://127.0.0.1:\(port)?mode=listener", "-map", "0", "-c",
        "copy",
        path,
      ], output: "/dev/null", errors: errors)
  }

  private static func start(_ arguments: [String], output: String, errors: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try handle(output)
    process.standardError = try handle(errors)
    try withoutBlockedSignals { try process.run() }
    return process
  }

  /// A child inherits what its thread blocks, and the threads of tests block everything.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  private static func handle(_ path: String) throws -> FileHandle {
    if path != "/dev/null" { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  deinit {
    signal(SIGCONT)
    signal(SIGKILL)
    process.waitUntilExit()
  }

  func signal(_ number: Int32) {
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// Waits until it has said `text` so many times; false when it never did.
  func waitUntilSaid(_ text: String, times: Int = 1) -> Bool {
    wait { self.said.components(separatedBy: text).count > times }
  }

  var said: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Waits until the program has ended by itself, as ffmpeg does.
  func waitUntilEnded() -> Bool {
    wait { !self.process.isRunning }
  }

  /// Ends the program, so that everything is in the file.
  func end() {
    signal(SIGINT)
    if !waitUntilEnded() { signal(SIGKILL) }
    process.waitUntilExit()
  }

  private func wait(for condition: () -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: Self.patience)
    while !condition(), limit > Date() { usleep(5000) }
    return condition()
  }
}

/// A port that nobody had just now, and that the system gives to nobody by itself.
func freeUDPPort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 10_000..<32_000)
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    if withLoopback(port, { bind(socket, $0, $1) }) == 0 { return port }
  }
}

func withLoopback<Result>(
  _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
