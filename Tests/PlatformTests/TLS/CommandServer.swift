import Foundation
import TestSupport

/// A TLS server that is not ours: `openssl s_server` on a free port of the loopback, for as long as this lives.
final class CommandServer {
  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  init(_ pair: TestCertificate, folder: String = "/", _ arguments: [String] = []) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", pair.certificate, "-key", pair.key]
      + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    // It ends when its input does.
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var said = ""
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw CommandFailed(arguments: arguments) }
      said += String(decoding: data, as: UTF8.self)
      if let match = said.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\s/), let port = UInt16(match.output.1) {
        self.port = port
        break
      }
    }
    // Not a readabilityHandler: on Linux its end may crash libdispatch.
    Thread { while !output.fileHandleForReading.availableData.isEmpty {} }.start()
  }

  /// It stops in the middle of whatever it does.
  func freeze() { kill(process.processIdentifier, SIGSTOP) }

  func thaw() { kill(process.processIdentifier, SIGCONT) }

  deinit {
    // It has the signal mask of the thread that started it, which may hold back a politer signal.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

/// A command that a test needs did not do its work.
struct CommandFailed: Error { let arguments: [String] }
